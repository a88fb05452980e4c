// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.rocksdb.RocksStore;
import io.semel.rocksdb.TimedRocks;
import io.semel.store.Store;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

class RocksContractTest extends GatewayContract {

    @TempDir
    static Path directory;

    private @Nullable RocksStore store;

    @Override
    protected synchronized Store store() {
        if (store == null) {
            store = TimedRocks.open(directory, time);
        }
        return store;
    }

    @Override
    protected String title() {
        return "gateway on RocksDB";
    }

    @AfterAll
    void closeStore() {
        if (store != null) {
            store.close();
        }
    }
}
