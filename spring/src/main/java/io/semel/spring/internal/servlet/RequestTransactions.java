// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import io.semel.servlet.Around;
import io.semel.spring.internal.transaction.RequestTransaction;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs a request in a transaction that its handler joins, and commits effect and answer before the first byte is sent. */
record RequestTransactions(PlatformTransactionManager manager, TransactionDefinition definition, boolean looksFirst)
        implements Around {

    private static final int MOST_TRIES = 3;
    private static final Logger LOG = LoggerFactory.getLogger(RequestTransactions.class);

    @Override
    public void run(HttpServletRequest request, Inside inside) throws IOException, ServletException {
        checkFirst();
        if (looksFirst && inside.isAnswered()) {
            // A retry takes no transaction, and whoever waits for a call of this process no connection.
            return;
        }
        boolean lost = once(inside);
        for (int tries = 2; lost && tries <= MOST_TRIES; tries++) {
            lost = once(inside);
        }
    }

    /** Whether the store lost against another transaction, so that a new one can say more. */
    private boolean once(Inside inside) throws IOException, ServletException {
        RequestTransaction transaction = RequestTransaction.enter(manager.getTransaction(definition));
        Verdict verdict;
        try {
            verdict = inside.pass();
        } catch (IOException | ServletException | RuntimeException | Error e) {
            rollBack(transaction.status(), e);
            throw e;
        } finally {
            RequestTransaction.leave();
        }
        try {
            end(transaction, verdict);
        } catch (RuntimeException | Error e) {
            look(inside, e);
            throw e;
        }
        return verdict == Verdict.ROLL_BACK && transaction.isLost();
    }

    /** The handler has run and is not run again; but another request may have been answered in the meantime. */
    private void look(Inside inside, Throwable failure) {
        try {
            RequestTransaction look = RequestTransaction.enter(manager.getTransaction(definition));
            try {
                inside.pass();
            } finally {
                RequestTransaction.leave();
                undo(look.status());
            }
        } catch (IOException | ServletException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static void checkFirst() {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "A filter before Semel's has begun a transaction, which would be committed after the answer is"
                            + " sent. Move it behind Semel's filter or remove it; Semel begins one itself.");
        }
    }

    private void end(RequestTransaction transaction, Verdict verdict) {
        if (verdict == Verdict.ROLL_BACK) {
            undo(transaction.status());
        } else if (transaction.isDoomed()) {
            undo(transaction.status());
            recordApart(transaction);
        } else {
            commit(transaction);
        }
    }

    /** After a failure, the claim of the next transaction waits for the end of this one, and finds its record if there is one. */
    private void commit(RequestTransaction transaction) {
        try {
            manager.commit(transaction.status());
        } catch (RuntimeException | Error e) {
            if (!isCommitted(transaction, e)) {
                throw e;
            }
            LOG.warn(
                    "The transaction of {} was committed, but a step after the commit failed.",
                    transaction.claiming().call().key(),
                    e);
        }
    }

    private boolean isCommitted(RequestTransaction transaction, Throwable failure) {
        try {
            TransactionStatus look = manager.getTransaction(definition);
            try {
                return isRecord(claim(transaction, new Settlement.Release()), transaction);
            } finally {
                undo(look);
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    /** In a transaction of its own, after that of the effect is rolled back; somebody else's answer may be there by now. */
    private void recordApart(RequestTransaction transaction) {
        TransactionStatus status = manager.getTransaction(definition);
        try {
            Claim claim = claim(transaction, transaction.complete());
            if (!(claim instanceof Claim.Granted) && !isRecord(claim, transaction)) {
                throw new UnexpectedRollbackException("Another request with the key was answered first.");
            }
        } catch (RuntimeException | Error e) {
            rollBack(status, e);
            throw e;
        }
        manager.commit(status);
    }

    /** Claims once more and, if that is granted, settles. */
    private Claim claim(RequestTransaction transaction, Settlement settlement) {
        Store.Claiming asked = transaction.claiming();
        Store store = transaction.store();
        Claim claim = store.claim(asked.call(), asked.holder(), asked.lease());
        if (claim instanceof Claim.Granted granted
                && !store.settle(asked.call().key(), asked.holder(), granted.fence(), settlement)) {
            throw new UnexpectedRollbackException("Another request with the key was faster.");
        }
        return claim;
    }

    private static boolean isRecord(Claim claim, RequestTransaction transaction) {
        return claim instanceof Claim.Settled settled
                && Arrays.equals(settled.result(), transaction.complete().result());
    }

    /** If even this fails, the database does it when it notices that nobody is there. */
    private void undo(TransactionStatus status) {
        try {
            manager.rollback(status);
        } catch (TransactionException e) {
            LOG.warn("A transaction without results could not be rolled back.", e);
        }
    }

    private void rollBack(TransactionStatus status, Throwable cause) {
        try {
            manager.rollback(status);
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
