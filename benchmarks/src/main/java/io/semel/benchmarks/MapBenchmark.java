// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Key;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.Warmup;

/** The limit to compare with: a ConcurrentHashMap that claims and replaces, without leases, fences, expiry or copies. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms8g", "-Xmx8g", "-XX:+UseParallelGC"})
public class MapBenchmark {

    private static final byte[] CLAIMED = {};

    @Param({"1000", "100000", "10000000"})
    public int liveKeys;

    private final ConcurrentMap<Key, byte[]> map = new ConcurrentHashMap<>();

    @Setup(Level.Trial)
    public void remember() {
        for (int i = 0; i < liveKeys; i++) {
            map.put(Keys.number(i), new byte[200]);
        }
    }

    /** Claims, replaces and, so that the map does not grow, removes. */
    @Benchmark
    public boolean pair(MemoryStoreBenchmark.Numbers numbers) {
        Key key = Keys.number(numbers.fresh());
        byte[] result = new byte[200];
        map.putIfAbsent(key, CLAIMED);
        map.replace(key, CLAIMED, result);
        return map.remove(key, result);
    }

    @Benchmark
    public byte @Nullable [] replay(MemoryStoreBenchmark.Numbers numbers) {
        return map.get(Keys.number(liveKeys - 1 - numbers.known(1000)));
    }

    @Benchmark
    public byte @Nullable [] replayOfAnyKey(MemoryStoreBenchmark.Numbers numbers) {
        return map.get(Keys.number(numbers.known(liveKeys)));
    }
}
