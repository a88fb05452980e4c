// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Begun;
import io.semel.Key;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Binds a call whose record is elsewhere to the end of the transaction that its caller has begun. */
final class CallersTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(CallersTransaction.class);

    /**
     * Records the answer when the transaction has committed.
     *
     * @param apart whether some of the effect was committed already, in a transaction of its own
     */
    static void complete(Begun.Started<Optional<Object>> started, Optional<Object> value, boolean apart) {
        TransactionSynchronizationManager.registerSynchronization(new AtTheEnd(started, value, apart));
    }

    /** The call has failed or said no: what it left in the transaction must not be committed by a caller who goes on. */
    static void mustNotCommit(Key key) {
        TransactionSynchronizationManager.registerSynchronization(new NotToCommit(key));
    }

    /** What a rollback to a savepoint means: only one that is older than the call takes it back. */
    abstract static class SinceTheCall implements TransactionSynchronization {

        private final Set<Object> later = Collections.newSetFromMap(new IdentityHashMap<>());

        @Override
        public final void savepoint(Object savepoint) {
            later.add(savepoint);
        }

        @Override
        public final void savepointRollback(Object savepoint) {
            if (!later.contains(savepoint)) {
                takenBack();
            }
        }

        abstract void takenBack();
    }

    private static final class AtTheEnd extends SinceTheCall {

        private final Begun.Started<Optional<Object>> started;
        private final Optional<Object> value;
        private final boolean apart;
        private final int committingBefore = CommitWatch.committing();
        private boolean ended;

        AtTheEnd(Begun.Started<Optional<Object>> started, Optional<Object> value, boolean apart) {
            this.started = started;
            this.value = value;
            this.apart = apart;
        }

        @Override
        void takenBack() {
            if (!ended) {
                ended = true;
                try {
                    undo();
                } catch (RuntimeException e) {
                    // The engine's listener has been told; the rollback is to go on.
                    LOG.warn(
                            "{} was rolled back, but its key could not be freed.",
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

    private static final class NotToCommit extends SinceTheCall {

        private final Key key;
        private boolean takenBack;

        NotToCommit(Key key) {
            this.key = key;
        }

        @Override
        void takenBack() {
            takenBack = true;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            if (!takenBack) {
                // No TransactionException: those are taken for failures of the commit itself, and roll nothing back.
                throw new IllegalStateException(
                        "In this transaction " + key + " has failed or said no, and retries go by"
                                + " that: what it did before must not be committed. Let its exception roll the transaction"
                                + " back, or call it in a transaction of its own.");
            }
        }
    }

    private CallersTransaction() {}
}
