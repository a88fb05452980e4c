// SPDX-License-Identifier: Apache-2.0
package io.semel.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@link Time} as it passes. */
final class SystemTime implements Time {

    /** What may hang at once before further tasks are refused; each belongs to an attempt that has a thread of its own mostly. */
    private static final int MOST_WORKERS = 1000;

    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, named("semel-timer"));
    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            0, MOST_WORKERS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), named("semel-heartbeat"));

    SystemTime() {
        scheduler.setKeepAliveTime(10, TimeUnit.SECONDS);
        scheduler.allowCoreThreadTimeOut(true);
    }

    private static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        try {
            future.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        var unused = scheduler.schedule(() -> runLoudly(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public Runnable execute(Runnable task) {
        FutureTask<?> running = new FutureTask<>(() -> runLoudly(task), null);
        workers.execute(running);
        return () -> running.cancel(true);
    }

    /** A scheduled task that throws would otherwise end in a future that nobody reads. */
    private static void runLoudly(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
