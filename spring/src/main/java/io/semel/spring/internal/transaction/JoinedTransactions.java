// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.internal.Suppressed;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;

/** The transactions in which a claim, its effect and its record commit together, of one method or route. */
public record JoinedTransactions(PlatformTransactionManager manager, TransactionDefinition definition) {

    /** How often a call is tried while its transactions lose against others. */
    public static final int MOST_TRIES = 3;

    private static final Logger LOG = LoggerFactory.getLogger(JoinedTransactions.class);

    public TransactionStatus begin() {
        return manager.getTransaction(definition);
    }

    public void commit(TransactionStatus status) {
        manager.commit(status);
    }

    /** Rolls back because of a failure, which wins. */
    public void rollBack(TransactionStatus status, Throwable cause) {
        try {
            manager.rollback(status);
        } catch (RuntimeException | Error e) {
            Suppressed.into(cause, e);
        }
    }

    /** Rolls back a transaction without results. If even this fails, the database does it once the connection is gone. */
    public void discard(TransactionStatus status) {
        try {
            manager.rollback(status);
        } catch (TransactionException e) {
            LOG.warn("A transaction without results could not be rolled back.", e);
        }
    }

    /** Looks at what other transactions have committed. */
    public <T> T look(Supplier<T> looking) {
        TransactionStatus status = begin();
        try {
            return looking.get();
        } finally {
            discard(status);
        }
    }

    /** Records in a transaction of its own, after that of the effect was rolled back. */
    public <T> T inNew(Supplier<T> recording) {
        TransactionStatus status = begin();
        T recorded;
        try {
            recorded = recording.get();
        } catch (RuntimeException | Error e) {
            rollBack(status, e);
            throw e;
        }
        commit(status);
        return recorded;
    }
}
