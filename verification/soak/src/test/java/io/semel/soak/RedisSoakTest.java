// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.semel.redis.RedisOptions;
import io.semel.redis.RedisStore;
import io.semel.testservers.RedisServer;
import org.junit.jupiter.api.Test;

class RedisSoakTest {

    @Test
    void theStoreComesBackToWhereItWas() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
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
