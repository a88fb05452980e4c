// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Level;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.Work;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The runner of calls whose record is not part of their transaction. The answer is recorded when the effect has been committed: the method's
 * own transaction has ended when it returns, and where the caller has begun one, its end is awaited.
 *
 * @param database where the record is kept, if in a database
 * @param apart whether the method never takes part in the transaction of its caller
 * @param transactional whether the method begins a transaction, where it takes part in none
 */
public record LeasedRunner(@Nullable DataSource database, boolean apart, boolean transactional) implements CallRunner {

    @Override
    public Outcome<Optional<Object>> run(
            Engine engine, Codec<Optional<Object>> codec, Call call, Work<Optional<Object>, Exception> work)
            throws Exception {
        boolean within = isWithin();
        if (!within && engine.level() == Level.JOINED) {
            // A store that commits effect and record together by itself: it knows what becomes of them.
            return engine.run(call, codec, work);
        }
        checkConnection(database, call);
        Begun<Optional<Object>> begun = engine.begin(call, codec);
        return begun instanceof Begun.Started<Optional<Object>> started
                ? run(started, work, within && !apart)
                : ((Begun.Answered<Optional<Object>>) begun).outcome();
    }

    /** A transaction that has just ended still looks active, but accepts no synchronizations any more. */
    public static boolean isWithin() {
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
                CallerTransaction.mustNotCommit(started.attempt().key());
            }
            throw thrown;
        } finally {
            watch.leave();
        }
        if (within) {
            CallerTransaction.complete(started, value, watch.committed());
            return new Outcome.Done<>(value, false);
        }
        return started.complete(value);
    }

    /** @param doneButThrown whether a transaction was committed, and what failed came after it */
    private static void fail(
            Begun.Started<Optional<Object>> started, Throwable thrown, boolean inDoubt, boolean doneButThrown) {
        if (thrown instanceof Rejection rejection && !inDoubt) {
            AttemptEndings.reject(started, rejection);
        } else {
            AttemptEndings.forget(started, thrown, inDoubt || doneButThrown);
        }
    }
}
