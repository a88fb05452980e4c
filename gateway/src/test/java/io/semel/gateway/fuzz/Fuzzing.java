// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Tries seeds, several at a time, for {@code -Dsemel.fuzz=PT10S}; or the one of {@code -Dsemel.fuzz.seed=N}. */
final class Fuzzing {

    private static final Duration TIME = Duration.parse(System.getProperty("semel.fuzz", "PT10S"));
    private static final Long SEED = Long.getLong("semel.fuzz.seed");

    private final long first = SEED == null ? System.currentTimeMillis() << 16 : SEED;
    private final long end = System.nanoTime() + TIME.toNanos();
    private final AtomicLong tried = new AtomicLong();
    private final AtomicBoolean failed = new AtomicBoolean();

    /** Whether one seed is looked at, so that nothing can be said of how many were found. */
    static boolean isOne() {
        return SEED != null;
    }

    long first() {
        return first;
    }

    /** How many were tried. The first failure ends it. */
    long run(int threads, Trial trial) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < (isOne() ? 1 : threads); i++) {
                all.add(pool.submit(() -> work(trial)));
            }
            for (Future<?> each : all) {
                await(each);
            }
            return tried.get();
        } finally {
            pool.shutdownNow();
        }
    }

    private Void work(Trial trial) throws Exception {
        while (!failed.get() && (isOne() ? tried.get() == 0 : System.nanoTime() < end)) {
            long seed = first + tried.getAndIncrement();
            try {
                trial.run(seed);
            } catch (Throwable e) {
                if (failed.compareAndSet(false, true)) {
                    System.out.println("Failed after " + tried + " from seed " + first + " on.");
                }
                throw e;
            }
        }
        return null;
    }

    private static void await(Future<?> work) throws Exception {
        try {
            work.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AssertionError wrong) {
                throw wrong;
            }
            throw e;
        }
    }

    /** The lines of a file of what went wrong once, without those that say what it was. */
    static List<String> kept(String file) {
        try (InputStream in = Objects.requireNonNull(Fuzzing.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is done with one seed. */
    interface Trial {

        void run(long seed) throws Exception;
    }
}
