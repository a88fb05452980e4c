// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import io.semel.internal.Suppressed;
import io.semel.servlet.Around;
import io.semel.spring.internal.transaction.JoinedTransactions;
import io.semel.spring.internal.transaction.RequestTransaction;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction around a request, which its handler joins; effect and answer are committed before the first byte is sent.
 *
 * @param looksFirst whether a retry is answered before a transaction is begun
 */
public record RequestTransactions(JoinedTransactions transactions, boolean looksFirst) implements Around {

    private static final Logger LOG = LoggerFactory.getLogger(RequestTransactions.class);

    @Override
    public void run(HttpServletRequest request, Invocation invocation) throws IOException, ServletException {
        checkFirst();
        if (looksFirst && invocation.isAnswered()) {
            // A retry takes no transaction, and a duplicate that waits for a call of this process no connection.
            return;
        }
        boolean lost = once(invocation);
        for (int tries = 2; lost && tries <= JoinedTransactions.MOST_TRIES; tries++) {
            lost = once(invocation);
        }
    }

    /** Whether the store lost against another transaction, so that a new one can say more. */
    private boolean once(Invocation invocation) throws IOException, ServletException {
        RequestTransaction transaction = RequestTransaction.enter(transactions.begin());
        Verdict verdict;
        try {
            verdict = invocation.proceed();
        } catch (IOException | ServletException | RuntimeException | Error e) {
            transactions.rollBack(transaction.status(), e);
            throw e;
        } finally {
            RequestTransaction.leave();
        }
        try {
            end(transaction, verdict);
        } catch (RuntimeException | Error e) {
            look(invocation, e);
            throw e;
        }
        return verdict == Verdict.ROLL_BACK && transaction.isLost();
    }

    /** The handler has run and is not run again; but another request may have been answered in the meantime. */
    private void look(Invocation invocation, Throwable failure) {
        try {
            RequestTransaction look = RequestTransaction.enter(transactions.begin());
            try {
                invocation.proceed();
            } finally {
                RequestTransaction.leave();
                transactions.discard(look.status());
            }
        } catch (IOException | ServletException | RuntimeException e) {
            Suppressed.into(failure, e);
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
            transactions.discard(transaction.status());
        } else if (transaction.isDoomed()) {
            transactions.discard(transaction.status());
            transactions.inNew(transaction::recordAgain);
        } else {
            commit(transaction);
        }
    }

    private void commit(RequestTransaction transaction) {
        try {
            transactions.commit(transaction.status());
        } catch (RuntimeException | Error e) {
            if (!isCommitted(transaction, e)) {
                throw e;
            }
            LOG.warn("The transaction of {} was committed, but a step after the commit failed.", transaction.key(), e);
        }
    }

    private boolean isCommitted(RequestTransaction transaction, Throwable failure) {
        try {
            return transactions.look(transaction::isRecorded);
        } catch (RuntimeException e) {
            Suppressed.into(failure, e);
            return false;
        }
    }
}
