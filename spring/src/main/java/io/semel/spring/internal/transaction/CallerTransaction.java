// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Key;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The binding of a leased call to the end of its caller's transaction. */
public final class CallerTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(CallerTransaction.class);

    /** A transaction that has just ended still looks active, but accepts no synchronizations any more. */
    public static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** The claim would wait for a connection while this thread holds one: with enough such threads for all of them, forever. */
    public static void checkConnection(@Nullable DataSource database, Call call) {
        if (database != null
                && TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.hasResource(database)) {
            throw new IllegalStateException(call.key()
                    + " was called in a transaction, which holds a connection, and would need a second one for"
                    + " its record. Call it outside of the transaction, or let it join the transaction (level JOINED)."
                    + " The method was not executed.");
        }
    }

    /**
     * Records the answer when the transaction has committed.
     *
     * @param apart whether some of the effect was committed already, in a transaction of its own
     */
    public static void complete(Begun.Started<Optional<Object>> started, Optional<Object> value, boolean apart) {
        TransactionSynchronizationManager.registerSynchronization(new Completion(started, value, apart));
    }

    /** Keeps a caller that goes on after a failed or rejected call from committing what the call left in the transaction. */
    public static void mustNotCommit(Key key) {
        TransactionSynchronizationManager.registerSynchronization(new CommitBlock(key));
    }

    private static final class Completion extends CallSynchronization {

        private final Begun.Started<Optional<Object>> started;
        private final Optional<Object> value;
        private final boolean apart;
        private final int committingBefore = CommitWatch.committing();
        private boolean ended;

        Completion(Begun.Started<Optional<Object>> started, Optional<Object> value, boolean apart) {
            this.started = started;
            this.value = value;
            this.apart = apart;
        }

        @Override
        protected void undone() {
            if (!ended) {
                ended = true;
                try {
                    undo();
                } catch (RuntimeException e) {
                    // The engine's listener has been told; the rollback is to go on.
                    LOG.warn(
                            "{} was rolled back, but its key could not be released.",
                            started.attempt().key(),
                            e);
                }
            }
        }

        /** Not all synchronizations hear of a commit, when one of them throws; of the completion all do. */
        @Override
        public void afterCommit() {
            if (!ended) {
                ended = true;
                started.complete(value);
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (ended) {
                return;
            }
            ended = true;
            switch (status) {
                case STATUS_COMMITTED -> started.complete(value);
                case STATUS_ROLLED_BACK -> rolledBack();
                default -> started.abandon();
            }
        }

        /** After a commit that failed the rollback proves nothing: drivers reconnect, and the first connection may have committed. */
        private void rolledBack() {
            if (CommitWatch.committing() > committingBefore) {
                started.abandon();
            } else {
                undo();
            }
        }

        private void undo() {
            if (apart) {
                started.abandon();
            } else {
                started.release();
            }
        }
    }

    private static final class CommitBlock extends CallSynchronization {

        private final Key key;
        private boolean undone;

        CommitBlock(Key key) {
            this.key = key;
        }

        @Override
        protected void undone() {
            undone = true;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            if (!undone) {
                // No TransactionException: those are taken for failures of the commit itself, and roll nothing back.
                throw new IllegalStateException(key
                        + " failed or was rejected in this transaction, and its retries rely on that: its changes must"
                        + " not be committed. Let its exception roll the transaction back, or call it in a"
                        + " transaction of its own.");
            }
        }
    }

    private CallerTransaction() {}
}
