// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.store.Store;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import redis.clients.jedis.RedisClient;

/** The laws on one server that Jedis speaks to. */
class JedisStoreTest extends StoreContract {

    private final Redis redis = Redis.with();
    private final RedisClient client = RedisClient.create("127.0.0.1", redis.port());

    @Override
    protected Store open() {
        return JedisStore.on(client, RedisOptions.DEFAULT);
    }

    @Override
    protected Store failing() {
        JedisStore store = JedisStore.on(client, RedisOptions.DEFAULT);
        store.close();
        return store;
    }

    @Override
    protected void elapse(Duration span) {
        redis.elapse(span);
    }

    @AfterAll
    void stop() {
        client.close();
        redis.close();
    }
}
