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
                    .bounded("io.semel.rocksdb.Recent$Entry", 1 << 13)
                    .bounded("io.semel.rocksdb.Id", 1 << 13)
                    .bounded("io.semel.rocksdb.Row", 1 << 13)
                    .run();
        }
    }
}
