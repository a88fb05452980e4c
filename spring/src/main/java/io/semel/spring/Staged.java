// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Rejection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The way of methods that return a future: its end is the end of the attempt, and what the caller gets ends after that. */
record Staged(Executor threads, @Nullable DataSource database, boolean transactional) implements Way {

    @Override
    public CompletableFuture<@Nullable Object> answer(Plan plan, Call call, MethodInvocation invocation)
            throws Exception {
        Untransacted.checkConnection(database, call);
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

    /** Some of the effect may be in it and some in other threads, so that no single end says what became of them. */
    private static void checkNoTransaction(Call call) {
        if (Untransacted.isWithin()) {
            throw new IllegalStateException(
                    call.key() + " ends in a future, and is called in a transaction that may end"
                            + " before or after it, in another way. Call it outside of the transaction. Nothing was run.");
        }
    }

    private CompletableFuture<@Nullable Object> run(
            Plan plan, Begun.Started<Optional<Object>> started, MethodInvocation invocation) {
        Optional<Object> returned;
        CommitWatch watch = CommitWatch.enter();
        try {
            returned =
                    CurrentAttempt.during(started.attempt(), () -> Optional.ofNullable(Blocking.proceed(invocation)));
        } catch (Exception | Error thrown) {
            boolean done = watch.failedAfterCommit() || (transactional && watch.committedFirst());
            boolean inDoubt = watch.isInDoubt(thrown) || done;
            return CompletableFuture.failedFuture(Endings.fail(plan, started, thrown, inDoubt));
        } finally {
            watch.leave();
        }
        return awaited(plan, started, returned);
    }

    private CompletableFuture<@Nullable Object> awaited(
            Plan plan, Begun.Started<Optional<Object>> started, Optional<Object> returned) {
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        try {
            // In a thread of its own, because the one that ends the future may be one that must not wait for a store.
            stage(returned).whenComplete((value, thrown) -> elsewhere(() -> end(plan, started, value, thrown, answer)));
        } catch (RuntimeException | Error notAwaited) {
            Endings.forget(started, notAwaited, true);
            throw notAwaited;
        }
        return answer;
    }

    /** Or here, if there is no thread to be had: what was begun has to be ended, and somebody waits for it. */
    private void elsewhere(Runnable ending) {
        try {
            threads.execute(ending);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            ending.run();
        }
    }

    /** Null in place of a future is taken for one that has ended with nothing. */
    private static CompletionStage<?> stage(Optional<Object> returned) {
        return returned.<CompletionStage<?>>map(stage -> (CompletionStage<?>) stage)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private static void end(
            Plan plan,
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
                answer.completeExceptionally(Endings.fail(plan, started, bare, CommitFailures.mayBeOne(bare)));
            }
        } catch (RuntimeException | Error failure) {
            answer.completeExceptionally(failure);
        }
    }

    private static Throwable bare(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
