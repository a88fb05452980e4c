// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.rocksdb.RocksOptions;
import io.semel.rocksdb.RocksStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Replays of the RocksDB store, by two threads; what it writes is measured by {@link DurablePairs}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(2)
public class RocksStoreBenchmark {

    private static final int TOGETHER = 500;

    @Param({"1000", "100000"})
    public int liveKeys;

    private final Path directory = temporary();
    private final RocksStore store = RocksStore.open(directory.resolve("store"), RocksOptions.DEFAULT.async());

    @Setup(Level.Trial)
    public void remember() {
        for (int first = 0; first < liveKeys; first += TOGETHER) {
            settle(first);
        }
    }

    private void settle(int first) {
        List<Claiming> claimings = new ArrayList<>();
        for (int i = first; i < first + TOGETHER; i++) {
            claimings.add(new Claiming(call(i), "holder", MemoryStoreBenchmark.LEASE));
        }
        List<Claim> claims = store.claimAll(claimings);
        List<Settling> settlings = new ArrayList<>();
        for (int i = 0; i < TOGETHER; i++) {
            Key key = claimings.get(i).call().key();
            long fence = ((Claim.Granted) claims.get(i)).fence();
            Settlement done = new Settlement.Complete(new byte[200], Retention.DEFAULT);
            settlings.add(new Settling(key, "holder", fence, done));
        }
        store.settleAll(settlings);
    }

    private static Call call(int number) {
        return Call.of(Keys.number(number), MemoryStoreBenchmark.PRINT);
    }

    /** A retry of any of the keys; a few thousand that were written or asked for last are answered from memory. */
    @Benchmark
    public Claim replay(MemoryStoreBenchmark.Numbers numbers) {
        return store.claim(call(numbers.known(liveKeys)), "retry", MemoryStoreBenchmark.LEASE);
    }

    @TearDown(Level.Trial)
    public void clean() throws IOException {
        store.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("semel-replay");
        } catch (IOException e) {
            throw new IllegalStateException("There is no temporary directory.", e);
        }
    }
}
