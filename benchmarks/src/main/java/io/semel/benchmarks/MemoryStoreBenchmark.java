// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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

/** The memory store alone, with a number of live keys that it has to remember meanwhile. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms8g", "-Xmx8g", "-XX:+UseParallelGC"})
public class MemoryStoreBenchmark {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Fingerprint PRINT = Fingerprint.of("POST", "/payments", "{\"amount\":500}");

    /** Forgotten as soon as it can be, so that a run of any length needs no more room: sweeping is part of the price. */
    static final Retention BRIEF = Retention.of(Duration.ofMillis(1), Duration.ZERO);

    @Param({"1000", "100000", "10000000"})
    public int liveKeys;

    private final MemoryStore store = new MemoryStore(Long.MAX_VALUE);
    private final byte[] result = new byte[200];

    /** A stream of numbers per thread: known keys at random, new keys without end. */
    @State(Scope.Thread)
    public static class Numbers {

        private final SplittableRandom random = new SplittableRandom();
        private long next = random.nextLong() | Long.MIN_VALUE;

        int known(int bound) {
            return random.nextInt(bound);
        }

        long fresh() {
            return next++;
        }
    }

    @Setup(Level.Trial)
    public void remember() {
        for (int i = 0; i < liveKeys; i++) {
            claimAndSettle(Keys.number(i), Retention.DEFAULT);
        }
    }

    /** A fresh call: claim and settle of a key that nobody has seen. */
    @Benchmark
    public boolean pair(Numbers numbers) {
        return claimAndSettle(Keys.number(numbers.fresh()), BRIEF);
    }

    /** A retry as it comes, soon after the first call: one of the last thousand keys of all that are remembered. */
    @Benchmark
    public Claim replay(Numbers numbers) {
        return claim(liveKeys - 1 - numbers.known(1000));
    }

    /** A retry of any key that is remembered, which with millions of them is in no cache of the processor's. */
    @Benchmark
    public Claim replayOfAnyKey(Numbers numbers) {
        return claim(numbers.known(liveKeys));
    }

    private Claim claim(int number) {
        return store.claim(Call.of(Keys.number(number), PRINT), "nobody", LEASE);
    }

    private boolean claimAndSettle(Key key, Retention retention) {
        Claim.Granted granted = (Claim.Granted) store.claim(Call.of(key, PRINT), "a-holder-of-usual-length", LEASE);
        return store.settle(
                key, "a-holder-of-usual-length", granted.fence(), new Settlement.Complete(result, retention));
    }
}
