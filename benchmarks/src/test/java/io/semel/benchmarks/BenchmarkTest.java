// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import io.semel.Outcome;
import io.semel.store.Claim;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** That the benchmarks measure what they say; how quick it is, is for a run of its own. */
class BenchmarkTest {

    private final MemoryStoreBenchmark.Numbers numbers = new MemoryStoreBenchmark.Numbers();

    @Test
    void theMemoryStoreIsMeasuredOnFreshKeysAndOnSettledOnes() {
        MemoryStoreBenchmark benchmark = new MemoryStoreBenchmark();
        benchmark.liveKeys = 2000;
        benchmark.remember();

        for (int i = 0; i < 1000; i++) {
            assertThat(benchmark.pair(numbers)).isTrue();
            assertThat(benchmark.replay(numbers))
                    .isInstanceOfSatisfying(
                            Claim.Settled.class,
                            settled -> assertThat(settled.result()).hasSize(200));
        }
    }

    @Test
    void theMapIsMeasuredOnTheSameKeys() {
        MapBenchmark benchmark = new MapBenchmark();
        benchmark.liveKeys = 2000;
        benchmark.remember();

        for (int i = 0; i < 1000; i++) {
            assertThat(benchmark.pair(numbers)).isTrue();
            assertThat(benchmark.replay(numbers)).hasSize(200);
            assertThat(benchmark.replayOfAnyKey(numbers)).hasSize(200);
        }
    }

    @Test
    void theEngineIsMeasuredOnFreshCallsAndOnRetries() {
        EngineBenchmark benchmark = new EngineBenchmark();
        benchmark.remember();

        for (int i = 0; i < 1000; i++) {
            assertThat(((Outcome.Done<byte[]>) benchmark.fresh(numbers)).replayed())
                    .isFalse();
            assertThat(((Outcome.Done<byte[]>) benchmark.replay(numbers)).replayed())
                    .isTrue();
        }
    }

    /** Sessions keep what their windows hold, however many requests there were; keys keep them all. */
    @Test
    void ofAcknowledgedRequestsAWindowIsKept() {
        assertThat(SessionFootprint.sessions(100, 10_000).answers()).isEqualTo(100 * 16);
        assertThat(SessionFootprint.keys(10_000).answers()).isEqualTo(10_000);
    }

    @Test
    void differentNumbersAreDifferentKeys() {
        Set<Key> keys = new HashSet<>();
        for (int i = 0; i < 200_000; i++) {
            assertThat(keys.add(Keys.number(i))).isTrue();
        }
        assertThat(Keys.number(1).id()).hasSize(36);
    }

    @Test
    void aLiveKeyTakesAtMost250BytesBesideItsOwn() {
        assertThat(Footprint.overhead(200_000)).isBetween(50.0, 250.0);
    }
}
