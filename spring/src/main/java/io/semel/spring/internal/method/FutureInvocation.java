// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Rejection;
import io.semel.spring.internal.transaction.AttemptEndings;
import io.semel.spring.internal.transaction.CallerTransaction;
import io.semel.spring.internal.transaction.CommitFailures;
import io.semel.spring.internal.transaction.CommitWatch;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The invocation of methods that return a future: its completion ends the attempt, and then completes the caller's future. */
public record FutureInvocation(Executor threads, @Nullable DataSource database, boolean transactional)
        implements InvocationStyle {

    @Override
    public CompletableFuture<@Nullable Object> invoke(MethodPlan plan, Call call, MethodInvocation invocation)
            throws Exception {
        CallerTransaction.checkConnection(database, call);
        checkNoTransaction(call);
        Begun<Optional<Object>> begun;
        try {
            begun = plan.engine().begin(call, plan.codec());
        } catch (Rejection rejection) {
            return CompletableFuture.failedFuture(plan.recorded().answer(rejection));
        }
        if (begun instanceof Begun.Answered<Optional<Object>> answered) {
            return CompletableFuture.completedFuture(answered.outcome())
                    .thenApply(outcome -> outcome.orThrow().orElse(null));
        }
        return run(plan, (Begun.Started<Optional<Object>>) begun, invocation);
    }

    /** Part of the effect may be in the transaction and part in other threads, so that no single end decides about both. */
    private static void checkNoTransaction(Call call) {
        if (CallerTransaction.isActive()) {
            throw new IllegalStateException(call.key()
                    + " completes in a future, and was called in a transaction that may end earlier or later, with"
                    + " another result. Call it outside of the transaction. The method was not executed.");
        }
    }

    private CompletableFuture<@Nullable Object> run(
            MethodPlan plan, Begun.Started<Optional<Object>> started, MethodInvocation invocation) {
        Optional<Object> returned;
        CommitWatch watch = CommitWatch.enter();
        try {
            returned = AttemptHolder.during(
                    started.attempt(), () -> Optional.ofNullable(InvocationStyle.proceed(invocation)));
        } catch (Exception | Error thrown) {
            boolean done = watch.failedAfterCommit() || (transactional && watch.committedFirst());
            boolean inDoubt = watch.isInDoubt(thrown) || done;
            return CompletableFuture.failedFuture(plan.fail(started, thrown, inDoubt));
        } finally {
            watch.leave();
        }
        return awaited(plan, started, returned);
    }

    private CompletableFuture<@Nullable Object> awaited(
            MethodPlan plan, Begun.Started<Optional<Object>> started, Optional<Object> returned) {
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        try {
            // In a thread of its own, because the one that ends the future may be one that must not wait for a store.
            stage(returned).whenComplete((value, thrown) -> elsewhere(() -> end(plan, started, value, thrown, answer)));
        } catch (RuntimeException | Error notAwaited) {
            AttemptEndings.forget(started, notAwaited, true);
            throw notAwaited;
        }
        return answer;
    }

    /** In this thread if no other is available: the attempt has to end, and the caller waits for that. */
    private void elsewhere(Runnable ending) {
        try {
            threads.execute(ending);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            ending.run();
        }
    }

    /** Null is taken for a future that has completed with null. */
    private static CompletionStage<?> stage(Optional<Object> returned) {
        return returned.<CompletionStage<?>>map(stage -> (CompletionStage<?>) stage)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private static void end(
            MethodPlan plan,
            Begun.Started<Optional<Object>> started,
            @Nullable Object value,
            @Nullable Throwable thrown,
            CompletableFuture<@Nullable Object> answer) {
        try {
            if (thrown == null) {
                answer.complete(
                        started.complete(Optional.ofNullable(value)).value().orElse(null));
            } else {
                Throwable bare = bare(thrown);
                answer.completeExceptionally(plan.fail(started, bare, CommitFailures.mayBeOne(bare)));
            }
        } catch (RuntimeException | Error failure) {
            answer.completeExceptionally(failure);
        }
    }

    private static Throwable bare(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
