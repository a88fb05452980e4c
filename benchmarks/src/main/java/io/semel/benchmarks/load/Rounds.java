// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.benchmarks.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets contenders work in turns, many short rounds each, and takes medians: what else happens on the machine then falls on
 * all of them alike, and only the ratios mean anything.
 */
final class Rounds {

    private static final AtomicLong NUMBERS = new AtomicLong(System.nanoTime() << 8);

    private final int rounds;
    private final Duration length;

    Rounds(int rounds, Duration length) {
        this.rounds = rounds;
        this.length = length;
    }

    /** The results in the order of the contenders; the first one is what the others are compared with. */
    List<Result> compare(int threads, List<Contender> contenders) throws Exception {
        Map<Contender, List<Result>> results = new LinkedHashMap<>();
        ExecutorService workers = Executors.newFixedThreadPool(threads, Workers.factory());
        try {
            for (Contender each : contenders) {
                round(workers, threads, each, length);
                results.put(each, new ArrayList<>());
            }
            for (int i = 0; i < rounds; i++) {
                for (Map.Entry<Contender, List<Result>> each : results.entrySet()) {
                    each.getValue().add(round(workers, threads, each.getKey(), length));
                }
            }
        } finally {
            workers.shutdownNow();
        }
        return results.values().stream().map(Result::median).toList();
    }

    private static Result round(ExecutorService workers, int threads, Contender contender, Duration length)
            throws Exception {
        long end = System.nanoTime() + length.toNanos();
        List<Callable<long[]>> work = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            work.add(() -> work(contender, end));
        }
        long start = System.nanoTime();
        List<long[]> latencies = new ArrayList<>();
        for (Future<long[]> each : workers.invokeAll(work)) {
            latencies.add(each.get());
        }
        return Result.of(contender.name(), latencies, System.nanoTime() - start);
    }

    private static long[] work(Contender contender, long end) throws Exception {
        long[] latencies = new long[1024];
        int count = 0;
        for (long before = System.nanoTime(); before < end; ) {
            contender.work().run(NUMBERS.incrementAndGet());
            long after = System.nanoTime();
            if (count == latencies.length) {
                latencies = Arrays.copyOf(latencies, count * 2);
            }
            latencies[count++] = after - before;
            before = after;
        }
        return Arrays.copyOf(latencies, count);
    }
}
