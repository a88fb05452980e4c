// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.lettuce.core.RedisClient;
import io.semel.redis.RedisOptions;
import io.semel.redis.RedisStore;
import org.junit.jupiter.api.Test;

class RedisSoakTest {

    @Test
    void theStoreComesBackToWhereItWas() throws Exception {
        try (LoneRedis redis = new LoneRedis()) {
            RedisClient client = RedisClient.create(redis.uri());
            try (RedisStore store = RedisStore.on(client, RedisOptions.DEFAULT);
                    var connection = client.connect()) {
                KeyTraffic traffic = new KeyTraffic(store);
                traffic.soak("redis", () -> connection.sync().dbsize() <= traffic.released())
                        .run();
            } finally {
                client.shutdown();
            }
        }
    }
}
