// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import redis.clients.jedis.RedisClient;

/**
 * A {@link RedisStore} for services that have Jedis instead of Lettuce, on one server: the same scripts, rows and promises.
 *
 * <p>It takes a connection of the client's pool for each trip.
 */
public final class JedisStore extends ScriptedStore {

    private JedisStore(Line line, RedisOptions options) {
        super(line, options);
    }

    /** A store on one server; the client stays yours. */
    public static JedisStore on(RedisClient client, RedisOptions options) {
        return new JedisStore(Line.over(new JedisCommands(client, options, Script.SEMEL), options), options);
    }
}
