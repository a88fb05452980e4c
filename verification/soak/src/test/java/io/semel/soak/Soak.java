// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs traffic in many threads for a long time and compares what the process holds at rest, after a first stretch and at the end:
 * nothing may have grown.
 *
 * <p>{@code -Dsemel.soak=PT2H} says how long; without it a run takes some seconds.
 */
final class Soak {

    private static final Duration LENGTH = Duration.parse(System.getProperty("semel.soak", "PT8S"));
    private static final Duration BETWEEN_REPORTS = Duration.ofMinutes(1);
    private static final int MOST_SECONDS_TO_REST = 60;

    private final String name;
    private final Map<String, LongSupplier> counters = new LinkedHashMap<>();
    private final Map<String, Long> bounds = new LinkedHashMap<>();
    private final List<Traffic> workers = new ArrayList<>();
    private Callable<Boolean> rest = () -> true;
    private Supplier<String> left = () -> "";

    private Soak(String name) {
        this.name = name;
    }

    static Soak of(String name) {
        return new Soak(name);
    }

    /** What one thread does again and again. */
    interface Traffic {
        void once(Random random) throws Exception;
    }

    Soak threads(int count, Traffic traffic) {
        for (int i = 0; i < count; i++) {
            workers.add(traffic);
        }
        return this;
    }

    /** Something beside objects, heap, threads and descriptors that must not grow at all. */
    Soak count(String what, LongSupplier counter) {
        counters.put(what, counter);
        return this;
    }

    /** A cache of that class that fills up to this many entries, and no further. */
    Soak bounded(String className, long most) {
        bounds.put(className, most);
        return this;
    }

    /** Called again and again when the traffic has stopped, until it says that nothing is left to be cleaned up. */
    Soak untilAtRest(Callable<Boolean> atRest) {
        rest = atRest;
        return this;
    }

    /** Names what is left when nothing comes to rest. */
    Soak left(Supplier<String> what) {
        left = what;
        return this;
    }

    void run() throws Exception {
        Footprint first = stretch("warm", LENGTH.dividedBy(3));
        Footprint last = stretch("done", LENGTH.dividedBy(3).multipliedBy(2));
        last.hasNotGrownSince(first, bounds);
    }

    private Footprint stretch(String what, Duration length) throws Exception {
        LongAdder done = new LongAdder();
        long end = System.nanoTime() + length.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < workers.size(); i++) {
                Traffic traffic = workers.get(i);
                Random random = new Random(i);
                running.add(threads.submit(() -> repeat(traffic, random, end, done)));
            }
            report(end, done);
            for (Future<?> each : running) {
                await(each);
            }
        } finally {
            threads.shutdownNow();
        }
        awaitRest();
        Footprint footprint = Footprint.take(counters);
        System.out.printf("soak %s, %s: %,d rounds, then %s%n", name, what, done.sum(), footprint.summary());
        return footprint;
    }

    private static Void repeat(Traffic traffic, Random random, long end, LongAdder done) throws Exception {
        while (System.nanoTime() < end) {
            traffic.once(random);
            done.increment();
        }
        return null;
    }

    private void report(long end, LongAdder done) throws InterruptedException {
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            Thread.sleep(Math.max(1, Math.min(BETWEEN_REPORTS.toMillis(), left / 1_000_000)));
            if (end > System.nanoTime()) {
                System.out.printf("soak %s: %,d rounds%n", name, done.sum());
            }
        }
    }

    private static void await(Future<?> running) throws Exception {
        try {
            running.get();
        } catch (ExecutionException e) {
            throw new AssertionError("A worker failed: " + e.getCause(), e.getCause());
        }
    }

    private void awaitRest() throws Exception {
        long limit =
                System.nanoTime() + Duration.ofSeconds(MOST_SECONDS_TO_REST).toNanos();
        while (!rest.call()) {
            if (System.nanoTime() > limit) {
                throw new AssertionError("Not at rest after " + MOST_SECONDS_TO_REST + " s: "
                        + Footprint.take(counters).summary() + " " + left.get());
            }
            Thread.sleep(20);
        }
    }
}
