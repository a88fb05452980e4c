// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.store.Store;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The laws on one server. */
class RedisStoreTest extends StoreContract {

    private final Redis redis = Redis.with();

    @Override
    protected Store open() {
        return RedisStore.on(redis.client(), RedisOptions.DEFAULT);
    }

    @Override
    protected Store failing() {
        RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT);
        store.close();
        return store;
    }

    @Override
    protected void elapse(Duration span) {
        redis.elapse(span);
    }

    @AfterAll
    void stop() {
        redis.close();
    }
}
