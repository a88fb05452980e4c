// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.semel.rocksdb.RocksStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksSoakTest {

    @Test
    void theStoreComesBackToWhereItWas(@TempDir Path directory) throws Exception {
        try (RocksStore store = RocksStore.open(directory)) {
            new KeyTraffic(store)
                    .soak("rocksdb")
                    .bounded("io.semel.rocksdb.internal.database.RecentRows$Entry", 1 << 13)
                    .bounded("io.semel.rocksdb.internal.format.RowId", 1 << 13)
                    .bounded("io.semel.rocksdb.internal.format.SlotRow", 1 << 13)
                    .run();
        }
    }
}
