// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.time.Duration;

/** What a Sentinel knows. */
final class Sentinels {

    static boolean knowsReplica(int port, String master) {
        RedisClient client = RedisClient.create();
        RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", port, master).build();
        try (StatefulRedisSentinelConnection<String, String> connection = client.connectSentinel(uri)) {
            return connection.sync().replicas(master).stream().anyMatch(each -> "slave".equals(each.get("flags")));
        } catch (RedisException notYet) {
            return false;
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private Sentinels() {}
}
