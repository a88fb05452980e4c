// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.redis.internal.client.JedisCommands;
import io.semel.redis.internal.client.ScriptClient;
import io.semel.redis.internal.script.Script;
import redis.clients.jedis.RedisClient;

/**
 * A {@link RedisStore} for services that use Jedis instead of Lettuce, on one server: the same scripts, rows and
 * guarantees.
 *
 * <p>It takes a connection from the client's pool for each round trip.
 */
public final class JedisStore extends ScriptedStore {

    private JedisStore(ScriptClient client, RedisOptions options) {
        super(client, options);
    }

    /** A store on one server; the client stays yours. */
    public static JedisStore on(RedisClient client, RedisOptions options) {
        return new JedisStore(
                ScriptClient.over(new JedisCommands(client, options.client(), Script.SLOTS), options.client()),
                options);
    }
}
