// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Level;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/** What is acknowledged was synced before, unless the store was told not to; no kill of a process shows the difference. */
class SyncedWritesTest {

    static {
        RocksDB.loadLibrary();
    }

    private final Path directory = Directories.fresh();
    private final Statistics statistics = new Statistics();
    private final RocksOptions counted = RocksOptions.DEFAULT.countedBy(statistics);

    @AfterEach
    void clean() {
        statistics.close();
        Directories.delete(directory);
    }

    @Test
    void everyClaimAndEverySettlementIsSynced() {
        try (RocksStore store = RocksStore.open(directory, counted)) {
            for (int i = 1; i <= 20; i++) {
                TornLogTest.settle(store, TornLogTest.key(i));
                assertThat(syncs()).isGreaterThanOrEqualTo(2 * i);
            }
            long before = syncs();
            TornLogTest.expectAnswer(store, TornLogTest.key(1));
            assertThat(syncs()).as("syncs, after a replay").isEqualTo(before);
            assertThat(store.level()).isEqualTo(Level.LEASED);
        }
    }

    @Test
    void anAsyncStoreSyncsNothingAndPromisesNothing() {
        try (RocksStore store = RocksStore.open(directory, counted.async())) {
            long before = syncs();
            TornLogTest.settle(store, TornLogTest.key(1));
            assertThat(syncs()).isEqualTo(before);
            assertThat(store.level()).isEqualTo(Level.BEST_EFFORT);
        }
    }

    private long syncs() {
        return statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
    }
}
