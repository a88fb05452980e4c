// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.Work;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs work whose record is not part of its transaction. The answer is recorded when the effect has been committed: the method's
 * own transaction has ended when it returns, and where the caller has begun one, its end is awaited.
 */
record Untransacted(@Nullable DataSource database) implements Runner {

    @Override
    public Outcome<Optional<Object>> run(Plan plan, Call call, Work<Optional<Object>, Exception> work)
            throws Exception {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return plan.engine().run(call, plan.codec(), work);
        }
        checkConnection(database, call);
        Begun<Optional<Object>> begun = plan.engine().begin(call, plan.codec());
        return begun instanceof Begun.Started<Optional<Object>> started
                ? runWithin(started, work)
                : ((Begun.Answered<Optional<Object>>) begun).outcome();
    }

    /** The claim would wait for a connection while this thread holds one: with enough such threads for all of them, forever. */
    static void checkConnection(@Nullable DataSource database, Call call) {
        if (database != null && TransactionSynchronizationManager.hasResource(database)) {
            throw new IllegalStateException(
                    call.key() + " is called in a transaction, which holds a connection, and would need a"
                            + " second one for its record. Call it outside of the transaction, or let it join (level JOINED)."
                            + " Nothing was run.");
        }
    }

    private static Outcome<Optional<Object>> runWithin(
            Begun.Started<Optional<Object>> started, Work<Optional<Object>, Exception> work) throws Exception {
        Optional<Object> value;
        try {
            value = work.run(started.attempt());
        } catch (Rejection rejection) {
            started.reject(rejection);
            throw rejection;
        } catch (Exception | Error thrown) {
            Endings.release(started, thrown);
            throw thrown;
        }
        TransactionSynchronizationManager.registerSynchronization(new AtTheEnd(started, value));
        return new Outcome.Done<>(value, false);
    }

    /** Not all synchronizations hear of a commit, when one of them throws; of the completion all do. */
    private static final class AtTheEnd implements TransactionSynchronization {

        private final Begun.Started<Optional<Object>> started;
        private final Optional<Object> value;
        private boolean ended;

        AtTheEnd(Begun.Started<Optional<Object>> started, Optional<Object> value) {
            this.started = started;
            this.value = value;
        }

        @Override
        public void afterCommit() {
            ended = true;
            started.complete(value);
        }

        @Override
        public void afterCompletion(int status) {
            if (ended) {
                return;
            }
            switch (status) {
                case STATUS_COMMITTED -> started.complete(value);
                case STATUS_ROLLED_BACK -> started.release();
                default -> started.abandon();
            }
        }
    }
}
