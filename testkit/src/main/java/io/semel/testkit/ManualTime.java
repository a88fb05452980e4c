// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.time.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * {@link Time} that passes only when a test says so: {@link #advance} moves it and runs what falls due on the caller's
 * thread, a sleep passes at once, and a wait ends when its future does or when somebody advances past its limit.
 */
public final class ManualTime implements Time {

    private static final Comparator<Task> IN_ORDER =
            Comparator.comparingLong(Task::due).thenComparingLong(Task::number);

    private final PriorityQueue<Task> tasks = new PriorityQueue<>(IN_ORDER);
    private long now;
    private long scheduled;
    private int waiting;

    @Override
    public synchronized long nanos() {
        return now;
    }

    /** Moves time on, stopping at every scheduled task on the way; if tasks throw, the first failure is thrown at the end. */
    public void advance(Duration span) {
        long target = after(span);
        Throwable failure = null;
        for (Task task = next(target); task != null; task = next(target)) {
            failure = run(task, failure);
        }
        moveTo(target);
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Moves time on without running anything, as if the process had been paused; what fell due runs with the next advance. */
    public void pause(Duration span) {
        moveTo(after(span));
    }

    /** Blocks until so many threads wait for a future, so that a test knows that advancing will reach them. */
    public synchronized void untilWaiting(int threads) throws InterruptedException {
        while (waiting < threads) {
            wait();
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("The thread was interrupted before it slept.");
        }
        advance(duration);
    }

    @Override
    public synchronized boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        long deadline = now + atMost.toNanos();
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> wakeAll());
        waiting++;
        notifyAll();
        try {
            while (!future.isDone() && now < deadline) {
                wait();
            }
        } finally {
            waiting--;
        }
        return future.isDone();
    }

    @Override
    public synchronized void schedule(Duration delay, Runnable task) {
        tasks.add(new Task(now + delay.toNanos(), scheduled++, task));
    }

    @Override
    public double jitter() {
        return 1;
    }

    private long after(Duration span) {
        if (span.isNegative()) {
            throw new IllegalArgumentException("Time does not go backwards, so it cannot be moved by " + span + ".");
        }
        return nanos() + span.toNanos();
    }

    private static @Nullable Throwable run(Task task, @Nullable Throwable earlier) {
        try {
            task.action.run();
            return earlier;
        } catch (RuntimeException | Error failure) {
            if (earlier == null) {
                return failure;
            }
            if (earlier != failure) {
                earlier.addSuppressed(failure);
            }
            return earlier;
        }
    }

    private synchronized void wakeAll() {
        notifyAll();
    }

    private synchronized void moveTo(long target) {
        now = Math.max(now, target);
        notifyAll();
    }

    private synchronized @Nullable Task next(long target) {
        Task task = tasks.peek();
        if (task == null || task.due > target) {
            return null;
        }
        moveTo(task.due);
        return tasks.remove();
    }

    private record Task(long due, long number, Runnable action) {}
}
