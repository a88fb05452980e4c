// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.opentest4j.AssertionFailedError;

/** Runners on threads of their own that start at the same moment, and what each came back with. */
public final class Race {

    public static final int RUNNERS = 8;
    public static final int ROUNDS = 25;

    private static final long MINUTES = 2;
    /** How many milliseconds "soon" lasts; for the zoo, whose stores need not answer over a network. */
    public static final String SOON = "semel.laws.soon";

    private static final int SOON_MILLIS = 7_000;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(Race::thread);

    /** As many runners as asked for, each made from its number. */
    public static <T> List<T> of(int runners, IntFunction<Callable<T>> maker) {
        List<Callable<T>> all = new ArrayList<>();
        for (int i = 0; i < runners; i++) {
            all.add(maker.apply(i));
        }
        return of(all);
    }

    public static <T> List<T> of(List<Callable<T>> runners) {
        CyclicBarrier start = new CyclicBarrier(runners.size());
        List<Future<T>> running = new ArrayList<>();
        for (Callable<T> runner : runners) {
            running.add(THREADS.submit(() -> {
                start.await();
                return runner.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : running) {
            results.add(result(future));
        }
        return results;
    }

    /** Somebody who may not come back for long. */
    public static <T> Future<T> start(Callable<T> runner) {
        return THREADS.submit(runner);
    }

    /** Far sooner than anything waits for a lock, and yet with time for a busy machine. */
    public static <T> T soon(Callable<T> runner) {
        Future<T> future = THREADS.submit(runner);
        try {
            return future.get(Integer.getInteger(SOON, SOON_MILLIS), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionFailedError("It waits for a key that is not its own", e);
        } catch (ExecutionException e) {
            throw new AssertionFailedError("It threw " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionFailedError("Interrupted while waiting for it", e);
        }
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get(MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new AssertionFailedError("A runner threw " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionFailedError("A runner has not come back for " + MINUTES + " minutes", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionFailedError("Interrupted while waiting for a runner", e);
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "runner " + NAMES.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    private Race() {}
}
