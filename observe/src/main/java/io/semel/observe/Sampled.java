// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a store told last. It is asked again once that is no longer fresh, one question at a time, on a thread that the question has
 * to itself. Whoever reads waits for a moment; a store that blocks costs nobody more than that, and its last answer stays, with its
 * age. Figures are NaN where it failed to answer, and before it first did.
 */
final class Sampled<T> {

    private static final long PATIENCE = Duration.ofSeconds(1).toNanos();

    private final Supplier<T> question;
    private final long freshNanos;
    private @Nullable CompletableFuture<Void> pending;
    private long begun;
    private Optional<T> last = Optional.empty();
    private boolean asked;
    private boolean answered;
    private long taken;

    Sampled(Supplier<T> question, Duration fresh) {
        this.question = question;
        this.freshNanos = fresh.toNanos();
    }

    double read(ToDoubleFunction<T> figure) {
        await();
        synchronized (this) {
            return last.map(figure::applyAsDouble).orElse(Double.NaN);
        }
    }

    /** How many seconds ago the store was asked for what it told last. */
    double age() {
        await();
        synchronized (this) {
            return answered ? (System.nanoTime() - taken) / 1e9 : Double.NaN;
        }
    }

    private void await() {
        CompletableFuture<Void> asking;
        long left;
        synchronized (this) {
            asking = refresh();
            left = begun + PATIENCE - System.nanoTime();
        }
        if (asking != null && left > 0) {
            try {
                asking.get(left, TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException stale) {
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable CompletableFuture<Void> refresh() {
        if (pending == null && (!asked || System.nanoTime() - begun > freshNanos)) {
            asked = true;
            begun = System.nanoTime();
            CompletableFuture<Void> done = new CompletableFuture<>();
            pending = done;
            Thread thread = new Thread(() -> ask(done), "semel-count");
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (RuntimeException | Error e) {
                // Whoever asks next tries again.
                pending = null;
                throw e;
            }
        }
        return pending;
    }

    private void ask(CompletableFuture<Void> done) {
        Optional<T> told = Optional.empty();
        try {
            told = Optional.of(question.get());
        } catch (RuntimeException unreachable) {
            told = Optional.empty();
        } finally {
            synchronized (this) {
                last = told;
                answered |= told.isPresent();
                taken = told.isPresent() ? begun : taken;
                pending = null;
            }
            done.complete(null);
        }
    }
}
