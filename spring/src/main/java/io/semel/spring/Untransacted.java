// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Level;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.Work;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs work whose record is not part of its transaction. The answer is recorded when the effect has been committed: the method's
 * own transaction has ended when it returns, and where the caller has begun one, its end is awaited.
 *
 * @param database where the record is kept, if in a database
 * @param apart whether the method never takes part in the transaction of its caller
 * @param transactional whether the method begins a transaction, where it takes part in none
 */
record Untransacted(@Nullable DataSource database, boolean apart, boolean transactional) implements Runner {

    @Override
    public Outcome<Optional<Object>> run(Plan plan, Call call, Work<Optional<Object>, Exception> work)
            throws Exception {
        boolean within = isWithin();
        if (!within && plan.engine().level() == Level.JOINED) {
            // A store that commits effect and record together by itself: it knows what becomes of them.
            return plan.engine().run(call, plan.codec(), work);
        }
        checkConnection(database, call);
        Begun<Optional<Object>> begun = plan.engine().begin(call, plan.codec());
        return begun instanceof Begun.Started<Optional<Object>> started
                ? run(started, work, within && !apart)
                : ((Begun.Answered<Optional<Object>>) begun).outcome();
    }

    /** Where a transaction has just ended, it still looks active, but nobody is told of its end any more. */
    static boolean isWithin() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** The claim would wait for a connection while this thread holds one: with enough such threads for all of them, forever. */
    static void checkConnection(@Nullable DataSource database, Call call) {
        if (database != null
                && TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.hasResource(database)) {
            throw new IllegalStateException(
                    call.key() + " is called in a transaction, which holds a connection, and would need a"
                            + " second one for its record. Call it outside of the transaction, or let it join (level JOINED)."
                            + " Nothing was run.");
        }
    }

    private Outcome<Optional<Object>> run(
            Begun.Started<Optional<Object>> started, Work<Optional<Object>, Exception> work, boolean within)
            throws Exception {
        CommitWatch watch = CommitWatch.enter();
        Optional<Object> value;
        try {
            value = work.run(started.attempt());
        } catch (Exception | Error thrown) {
            boolean doneButThrown = watch.failedAfterCommit() || (transactional && !within && watch.committedFirst());
            fail(started, thrown, watch.isInDoubt(thrown), doneButThrown);
            if (within) {
                CallersTransaction.mustNotCommit(started.attempt().key());
            }
            throw thrown;
        } finally {
            watch.leave();
        }
        if (within) {
            CallersTransaction.complete(started, value, watch.committed());
            return new Outcome.Done<>(value, false);
        }
        return started.complete(value);
    }

    /** @param doneButThrown whether a transaction was committed, and what failed came after it */
    private static void fail(
            Begun.Started<Optional<Object>> started, Throwable thrown, boolean inDoubt, boolean doneButThrown) {
        if (thrown instanceof Rejection rejection && !inDoubt) {
            Endings.reject(started, rejection);
        } else {
            Endings.forget(started, thrown, inDoubt || doneButThrown);
        }
    }
}
