// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.semel.rocksdb.RocksStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksSessionsSoakTest {

    @Test
    void sessionsComeBackToWhereTheyWere(@TempDir Path directory) throws Exception {
        try (RocksStore store = RocksStore.open(directory)) {
            new SessionTraffic(store.sessions(1000)).soak("rocksdb sessions").run();
        }
    }
}
