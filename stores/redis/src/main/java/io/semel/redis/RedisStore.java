// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.store.Store;

/**
 * A {@link Store} in Redis, which claims and settles by a script, in one trip each, and lets Redis expire what is over.
 *
 * <p>Redis may forget what it acknowledged: in a crash what its append-only file does not have yet, in a failover what had not
 * reached the replica. What is forgotten may happen again, so the level is BEST_EFFORT; {@link #caveats()} says what applies.
 * Only {@link RedisOptions#durable} gives LEASED. When memory is full, nothing new is granted, but what was granted may
 * still be settled.
 */
public final class RedisStore extends ScriptedStore {

    private RedisStore(Line line, RedisOptions options) {
        super(line, options);
    }

    /** A store on one server, or on the master that Sentinel names; its connection is its own, the client stays yours. */
    public static RedisStore on(RedisClient client, RedisOptions options) {
        return new RedisStore(Line.to(client, options, Script.SEMEL), options);
    }

    /** A store on a cluster; its connections are its own, the client stays yours. */
    public static RedisStore on(RedisClusterClient client, RedisOptions options) {
        return new RedisStore(Line.to(client, options, Script.SEMEL), options);
    }
}
