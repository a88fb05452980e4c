// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Level;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.Work;
import io.semel.spring.internal.transaction.AttemptEndings;
import io.semel.spring.internal.transaction.CallerTransaction;
import io.semel.spring.internal.transaction.CommitWatch;
import java.util.Optional;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The invocation of blocking methods whose record is not part of their transaction. The answer is recorded after the effect was
 * committed: the method's own transaction has ended when it returns, and the end of its caller's transaction is awaited.
 *
 * @param database the database of the record, if any
 * @param apart whether the method never takes part in the transaction of its caller
 * @param transactional whether the method begins a transaction if it takes part in none
 */
record LeasedInvocation(@Nullable DataSource database, boolean apart, boolean transactional)
        implements InvocationStyle {

    @Override
    public @Nullable Object invoke(MethodPlan plan, Call call, MethodInvocation invocation) throws Exception {
        return plan.answer(() -> run(plan, call, plan.work(invocation)));
    }

    private Outcome<Optional<Object>> run(MethodPlan plan, Call call, Work<Optional<Object>, Exception> work)
            throws Exception {
        boolean within = CallerTransaction.isActive();
        if (!within && plan.engine().level() == Level.JOINED) {
            // A store that commits effect and record together by itself: it knows their outcome.
            return plan.engine().run(call, plan.codec(), work);
        }
        CallerTransaction.checkConnection(database, call);
        Begun<Optional<Object>> begun = plan.engine().begin(call, plan.codec());
        return begun instanceof Begun.Started<Optional<Object>> started
                ? run(started, work, within && !apart)
                : ((Begun.Answered<Optional<Object>>) begun).outcome();
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
