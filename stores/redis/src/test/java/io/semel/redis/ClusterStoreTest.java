// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Store;
import io.semel.testkit.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The laws on a cluster. */
class ClusterStoreTest extends StoreContract {

    private final Cluster cluster = new Cluster();

    @Override
    protected Store open() {
        return RedisStore.on(cluster.client(), RedisOptions.DEFAULT);
    }

    @Override
    protected Store failing() {
        RedisStore store = RedisStore.on(cluster.client(), RedisOptions.DEFAULT);
        store.close();
        return store;
    }

    @Override
    protected void elapse(Duration span) {
        cluster.masters().forEach(server -> server.elapse(span));
    }

    @AfterAll
    void stop() {
        cluster.close();
    }
}
