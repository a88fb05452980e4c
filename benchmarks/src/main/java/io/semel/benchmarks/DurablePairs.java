// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.rocksdb.RocksStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * Measures durable claim and settle pairs of the RocksDB store against single synchronous puts of RocksDB with its own
 * defaults, in interleaved rounds on the same disk: two arguments, rounds and milliseconds of each. Puts are always by
 * platform threads, because one that waits in native code would keep others from running; pairs with {@code
 * -Dthreads=virtual} by virtual ones.
 */
public final class DurablePairs {

    private static final int[] THREADS = {1, 16, 64, 256};
    private static final byte[] ANSWER = answer();

    private final AtomicLong number = new AtomicLong();

    public static void main(String[] args) throws Exception {
        int rounds = args.length < 1 ? 5 : Integer.parseInt(args[0]);
        long millis = args.length < 2 ? 2000 : Long.parseLong(args[1]);
        Path directory = Files.createTempDirectory("semel-pairs");
        try {
            new DurablePairs().compare(directory, rounds, millis);
        } finally {
            delete(directory);
        }
    }

    private void compare(Path directory, int rounds, long millis) throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB rocks = RocksDB.open(options, directory.resolve("raw").toString());
                WriteOptions sync = new WriteOptions().setSync(true);
                RocksStore store = RocksStore.open(directory.resolve("store"))) {
            measure(64, Workers.platform(), millis, () -> put(rocks, sync));
            measure(64, Workers.factory(), millis, () -> pair(store));
            double[][] puts = new double[THREADS.length][rounds];
            double[][] pairs = new double[THREADS.length][rounds];
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < THREADS.length; i++) {
                    puts[i][round] = measure(THREADS[i], Workers.platform(), millis, () -> put(rocks, sync));
                    pairs[i][round] = measure(THREADS[i], Workers.factory(), millis, () -> pair(store));
                }
            }
            for (int i = 0; i < THREADS.length; i++) {
                report(THREADS[i], median(puts[i]), median(pairs[i]), median(puts[2]));
            }
        }
    }

    private static void report(int threads, double puts, double pairs, double putsOf64) {
        System.out.printf(
                Locale.ROOT,
                "%3d threads: %,.0f puts/s, %,.0f pairs/s; pairs are %.2f of these puts, %.2f of the puts of 64 threads%n",
                threads,
                puts,
                pairs,
                pairs / puts,
                pairs / putsOf64);
    }

    private void put(RocksDB rocks, WriteOptions sync) {
        byte[] key = new byte[16];
        ByteBuffer.wrap(key).putLong(ThreadLocalRandom.current().nextLong()).putLong(number.incrementAndGet());
        try {
            rocks.put(sync, key, ANSWER);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private void pair(RocksStore store) {
        Key key = Keys.number(number.incrementAndGet());
        Claim claim = store.claim(Call.of(key, Fingerprint.none()), "holder", Duration.ofMinutes(1));
        long fence = ((Claim.Granted) claim).fence();
        if (!store.settle(key, "holder", fence, new Settlement.Complete(ANSWER, Retention.DEFAULT))) {
            throw new IllegalStateException("A pair was not settled.");
        }
    }

    /** How often it was done in a second, by so many threads. */
    private static double measure(int threads, ThreadFactory factory, long millis, Runnable action)
            throws InterruptedException {
        LongAdder done = new LongAdder();
        long start = System.nanoTime();
        long end = start + millis * 1_000_000;
        Thread[] workers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = factory.newThread(() -> {
                while (System.nanoTime() < end) {
                    action.run();
                    done.increment();
                }
            });
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        return done.sum() * 1e9 / (System.nanoTime() - start);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static byte[] answer() {
        return "{\"payment\":\"pay_1234567890\",\"state\":\"captured\"}"
                .repeat(4)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private DurablePairs() {}
}
