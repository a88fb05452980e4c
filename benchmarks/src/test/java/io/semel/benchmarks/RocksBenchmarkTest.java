// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.store.Claim;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the benchmarks of the RocksDB store measure what they say. */
class RocksBenchmarkTest {

    @TempDir
    Path directory;

    @Test
    void replaysAreOfSettledKeys() throws Exception {
        RocksStoreBenchmark benchmark = new RocksStoreBenchmark();
        benchmark.liveKeys = 1000;
        benchmark.remember();
        try {
            for (int i = 0; i < 1000; i++) {
                assertThat(benchmark.replay(new MemoryStoreBenchmark.Numbers()))
                        .isInstanceOfSatisfying(
                                Claim.Settled.class,
                                settled -> assertThat(settled.result()).hasSize(200));
            }
        } finally {
            benchmark.clean();
        }
    }

    @Test
    void pairsAndFootprintCanBeMeasured() throws Exception {
        DurablePairs.main(new String[] {"1", "50"});
        RocksFootprint.main(new String[] {"2000", directory.toString()});
        RocksFootprint.main(new String[] {"2000", directory.toString()});
    }
}
