// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the engine adds to the memory store: frames, heartbeat, waiting, codec. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"})
public class EngineBenchmark {

    private static final int KNOWN = 100_000;

    private final Engine engine = Engine.on(new MemoryStore(Long.MAX_VALUE));
    private final Engine forgetful =
            engine.with(Operation.named("brief").retention(Duration.ofMillis(1), Duration.ZERO));
    private final byte[] answer = new byte[200];

    @Setup(Level.Trial)
    public void remember() {
        for (int i = 0; i < KNOWN; i++) {
            run(engine, i);
        }
    }

    @Benchmark
    public Outcome<byte[]> fresh(MemoryStoreBenchmark.Numbers numbers) {
        return run(forgetful, numbers.fresh());
    }

    @Benchmark
    public Outcome<byte[]> replay(MemoryStoreBenchmark.Numbers numbers) {
        return run(engine, numbers.known(KNOWN));
    }

    private Outcome<byte[]> run(Engine on, long number) {
        Call call = Call.of(Keys.number(number), MemoryStoreBenchmark.PRINT);
        return on.run(call, Codec.bytes(), attempt -> answer);
    }
}
