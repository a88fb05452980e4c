// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.rocksdb.RocksOptions;
import io.semel.rocksdb.RocksStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Measures what live keys take in a RocksDB store: bytes on disk, memory of this process, and the time to open it. Two
 * arguments: how many keys, and a directory, which is kept and used again if it is already full.
 */
public final class RocksFootprint {

    private static final int TOGETHER = 500;

    public static void main(String[] args) throws IOException {
        int keys = args.length < 1 ? 1_000_000 : Integer.parseInt(args[0]);
        Path directory = args.length < 2 ? Files.createTempDirectory("semel-footprint") : Path.of(args[1]);
        Path store = directory.resolve("store");
        if (Files.notExists(store)) {
            fill(store, keys);
        }
        long start = System.nanoTime();
        long settled;
        double seconds;
        try (RocksStore opened = RocksStore.open(store)) {
            seconds = (System.nanoTime() - start) / 1e9;
            settled = opened.count().settled();
            replay(opened, keys);
        }
        System.out.printf(
                Locale.ROOT,
                "%,d live keys of %,d: opened in %.2f s, %,d MB on disk, at most %,d MB of memory in this process%n",
                settled,
                keys,
                seconds,
                bytes(store) >> 20,
                resident() >> 10);
    }

    private static void fill(Path directory, int keys) {
        try (RocksStore store = RocksStore.open(directory, RocksOptions.DEFAULT.async())) {
            for (int first = 0; first < keys; first += TOGETHER) {
                settle(store, first, Math.min(first + TOGETHER, keys));
            }
        }
    }

    private static void settle(RocksStore store, int from, int to) {
        List<Claiming> claimings = new ArrayList<>();
        for (int i = from; i < to; i++) {
            claimings.add(new Claiming(call(i), holder(i), Duration.ofMinutes(1)));
        }
        List<Claim> claims = store.claimAll(claimings);
        List<Settling> settlings = new ArrayList<>();
        for (int i = from; i < to; i++) {
            long fence = ((Claim.Granted) claims.get(i - from)).fence();
            Settlement done = new Settlement.Complete(answer(i), Retention.DEFAULT);
            settlings.add(new Settling(Keys.number(i), holder(i), fence, done));
        }
        if (store.settleAll(settlings).contains(false)) {
            throw new IllegalStateException("A key was not settled.");
        }
    }

    private static Call call(int number) {
        Key key = Keys.number(number);
        return Call.of(key, Fingerprint.of(key.id()));
    }

    private static String holder(int number) {
        return "holder-" + number;
    }

    /** About 200 bytes of JSON, in which three fields are different each time. */
    private static byte[] answer(int number) {
        Random random = new Random(number);
        return """
                {"id":"pay_%016x","object":"payment","amount":%d,"currency":"eur","status":"captured",\
                "customer":"cus_%012x","description":"An order of some things","livemode":true,"refunded":false}\
                """.formatted(random.nextLong(), random.nextInt(100_000), random.nextLong() >>> 16)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void replay(RocksStore store, int keys) {
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            int number = random.nextInt(keys);
            Claim claim = store.claim(call(number), "replay", Duration.ofMinutes(1));
            if (!(claim instanceof Claim.Settled settled) || settled.result() == null) {
                throw new IllegalStateException("A key is not settled any more: " + claim);
            }
        }
    }

    private static long bytes(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /** In kilobytes, as Linux counts them. */
    private static long resident() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String line =
                    lines.filter(each -> each.startsWith("VmHWM:")).findFirst().orElse("VmHWM: 0");
            return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
    }

    private RocksFootprint() {}
}
