// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Outcome;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Many calls with one question to the store, and many answers with one statement. */
public final class Batches {

    public static <T extends @Nullable Object> List<CompletableFuture<Begun<T>>> begin(
            EngineContext engine, List<Call> calls, Codec<T> codec, Executor others) {
        List<CompletableFuture<Begun<T>>> begun = new ArrayList<>(calls.size());
        List<Asking<T>> askings = new ArrayList<>(calls.size());
        for (Call call : calls) {
            Asking<T> asking = new Asking<>(new ClaimLoop<>(engine, call, codec), new CompletableFuture<>());
            begun.add(asking.begun);
            if (asking.isUsual(others)) {
                askings.add(asking);
            }
        }
        ask(engine, askings, others);
        return begun;
    }

    private static <T extends @Nullable Object> void ask(
            EngineContext engine, List<Asking<T>> askings, Executor others) {
        List<Claim> claims;
        try {
            claims = whole(
                    engine.store()
                            .claimAll(askings.stream()
                                    .map(asking -> asking.beginning.asked())
                                    .toList()),
                    askings.size());
        } catch (Throwable e) {
            // Some may have been granted: each asks again with the holder that it has.
            askings.forEach(asking -> fill(asking.begun, others, asking.beginning::begin));
            return;
        }
        Instant now = time(engine, askings, claims);
        for (int i = 0; i < claims.size(); i++) {
            Asking<T> asking = askings.get(i);
            Claim claim = claims.get(i);
            Executor where = asking.beginning.endsWith(claim, now) ? Runnable::run : others;
            fill(asking.begun, where, () -> asking.beginning.follow(claim, false, now));
        }
    }

    /** The store's time, asked once for all who were granted and have to know it; null if nobody does, or it cannot be had. */
    private static <T extends @Nullable Object> @Nullable Instant time(
            EngineContext engine, List<Asking<T>> askings, List<Claim> claims) {
        for (int i = 0; i < claims.size(); i++) {
            ClaimLoop<T> beginning = askings.get(i).beginning;
            if (beginning.needsTime(claims.get(i))) {
                try {
                    return engine.inFlight().askTime(beginning.key());
                } catch (Throwable e) {
                    // Each asks for itself then, and says what it hears.
                    return null;
                }
            }
        }
        return null;
    }

    public static <T extends @Nullable Object> List<CompletableFuture<Outcome.Done<T>>> complete(
            List<Begun.Completing<T>> completings, Executor others) {
        List<CompletableFuture<Outcome.Done<T>>> done = new ArrayList<>(completings.size());
        IdentityHashMap<Store, List<Telling<T>>> byStore = new IdentityHashMap<>();
        for (Begun.Completing<T> each : completings) {
            CompletableFuture<Outcome.Done<T>> future = new CompletableFuture<>();
            done.add(future);
            try {
                Telling<T> telling =
                        new Telling<>(((StartedCall<T>) each.started()).completion(each.value()), each.value(), future);
                byStore.computeIfAbsent(telling.completion.store(), store -> new ArrayList<>())
                        .add(telling);
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        }
        byStore.forEach((store, tellings) -> tell(store, tellings, others));
        return done;
    }

    private static <T extends @Nullable Object> void tell(Store store, List<Telling<T>> tellings, Executor others) {
        List<Boolean> applied;
        try {
            applied = whole(
                    store.settleAll(tellings.stream()
                            .map(telling -> telling.completion.settling())
                            .toList()),
                    tellings.size());
        } catch (Throwable e) {
            // Nobody knows which of them applied: each finds out for itself.
            tellings.forEach(telling -> telling.finish(others, () -> {
                throw new StoreException("What was told together with others failed: " + e.getMessage(), e);
            }));
            return;
        }
        for (int i = 0; i < applied.size(); i++) {
            boolean its = applied.get(i);
            tellings.get(i).finish(Runnable::run, () -> its);
        }
    }

    /** A store that leaves one out would have it wait for ever. */
    private static <A> List<A> whole(List<A> answers, int asked) {
        if (answers.size() != asked) {
            throw new IllegalStateException("The store was asked " + asked + " questions and gave " + answers.size()
                    + " answers; claimAll and settleAll answer each in its place.");
        }
        return answers;
    }

    /** Does it there, or here if nobody there has the time: what holds a slot must be ended. The future hears of it. */
    private static <A> void fill(CompletableFuture<A> future, Executor where, Supplier<A> task) {
        Runnable filling = () -> {
            try {
                future.complete(task.get());
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        };
        try {
            where.execute(filling);
        } catch (RuntimeException | Error e) {
            filling.run();
        }
    }

    /** A call that is about to begin. */
    private record Asking<T extends @Nullable Object>(ClaimLoop<T> beginning, CompletableFuture<Begun<T>> begun) {

        /** Whether it can be asked for with others; if not, it is seen to. */
        boolean isUsual(Executor others) {
            boolean usual;
            try {
                usual = beginning.isUsual();
            } catch (Throwable e) {
                begun.completeExceptionally(e);
                return false;
            }
            if (!usual) {
                fill(begun, others, beginning::begin);
            }
            return usual;
        }
    }

    /** An answer of which the store is about to be told. */
    private record Telling<T extends @Nullable Object>(
            ActiveAttempt.Completion completion, T value, CompletableFuture<Outcome.Done<T>> done) {

        void finish(Executor where, BooleanSupplier told) {
            fill(done, where, () -> {
                completion.finish(told);
                return new Outcome.Done<>(value, false);
            });
        }
    }

    private Batches() {}
}
