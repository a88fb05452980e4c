// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs two tasks at once, on threads of their own that start together and meet again at gates. */
final class Overlap<R> {

    private static final long PATIENCE_SECONDS = 60;

    private final Story story;
    private final CyclicBarrier start = new CyclicBarrier(2);
    private final Set<Thread> underWay = ConcurrentHashMap.newKeySet();
    private final List<Gate> gates = List.of(new Gate(this::otherIsWaiting), new Gate(this::otherIsWaiting));

    Overlap(Story story) {
        this.story = story;
    }

    /** For whoever has its claim answered. */
    Gate atClaim() {
        return gates.get(0);
    }

    /** For whoever is about to have its effect. */
    Gate atEffect() {
        return gates.get(1);
    }

    List<R> run(Callable<R> one, Callable<R> other) {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<R> first = threads.submit(() -> started(one));
            Future<R> second = threads.submit(() -> started(other));
            return List.of(result(first), result(second));
        } finally {
            threads.shutdownNow();
        }
    }

    private R started(Callable<R> task) throws Exception {
        start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        underWay.add(Thread.currentThread());
        try {
            return task.call();
        } finally {
            gates.forEach(Gate::open);
        }
    }

    /** Only where the service runs on the threads of its clients can they tell; a client of a server always waits. */
    private boolean otherIsWaiting() {
        return underWay.size() == 2
                && underWay.contains(Thread.currentThread())
                && underWay.stream()
                        .filter(thread -> thread != Thread.currentThread())
                        .allMatch(Overlap::isWaiting);
    }

    private static boolean isWaiting(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }

    private R result(Future<R> task) {
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("A delivery has not ended after " + PATIENCE_SECONDS + " s. " + story, e);
        } catch (ExecutionException e) {
            throw new AssertionError("A delivery could not be sent: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("The test was interrupted while two deliveries were on their way. " + story, e);
        }
    }
}
