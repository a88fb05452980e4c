// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.store.Store;
import io.semel.testkit.store.DurableStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The laws on one server that syncs its append-only file before it answers, and is killed. */
class DurableRedisTest extends DurableStoreContract {

    private static final RedisOptions DURABLE = RedisOptions.DEFAULT.durable().withTimeout(Duration.ofSeconds(30));

    private final Redis redis = Redis.with("--appendonly", "yes", "--appendfsync", "always");

    @Override
    protected Store open() {
        return RedisStore.on(redis.client(), DURABLE);
    }

    @Override
    protected Store failing() {
        RedisStore store = RedisStore.on(redis.client(), DURABLE);
        store.close();
        return store;
    }

    @Override
    protected void elapse(Duration span) {
        redis.elapse(span);
    }

    @Override
    protected void crash() {
        redis.kill();
        redis.start();
    }

    @AfterAll
    void stop() {
        redis.close();
    }
}
