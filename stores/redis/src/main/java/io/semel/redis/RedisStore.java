// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.redis.internal.client.ScriptClient;
import io.semel.redis.internal.script.Script;
import io.semel.store.Store;

/**
 * A {@link Store} in Redis that claims and settles by a script, in one round trip each, and lets Redis expire slots.
 *
 * <p>Redis may lose acknowledged writes: in a crash those that its append-only file does not have yet, in a failover
 * those that had not reached the replica. A lost record may mean a repeat, so the level is BEST_EFFORT; {@link
 * #caveats()} lists what applies. Only {@link RedisOptions#durable} gives LEASED. When memory is full, nothing new is
 * granted, but granted claims may still be settled.
 */
public final class RedisStore extends ScriptedStore {

    private RedisStore(ScriptClient client, RedisOptions options) {
        super(client, options);
    }

    /** A store on one server, or on the master that Sentinel names; the connection is its own, the client stays yours. */
    public static RedisStore on(RedisClient client, RedisOptions options) {
        return new RedisStore(ScriptClient.to(client, options.client(), Script.SLOTS), options);
    }

    /** A store on a cluster; the connections are its own, the client stays yours. */
    public static RedisStore on(RedisClusterClient client, RedisOptions options) {
        return new RedisStore(ScriptClient.to(client, options.client(), Script.SLOTS), options);
    }
}
