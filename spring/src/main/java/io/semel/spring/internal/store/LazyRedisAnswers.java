// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.layered.Answers;
import io.semel.redis.RedisAnswers;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Cached answers in a Redis that connects on demand: an application starts without a mere cache. */
final class LazyRedisAnswers implements Answers, AutoCloseable {

    private final Supplier<RedisAnswers> connecting;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable RedisAnswers connected;

    LazyRedisAnswers(Supplier<RedisAnswers> connecting) {
        this.connecting = connecting;
        try {
            place();
        } catch (RuntimeException e) {
            LoggerFactory.getLogger(LazyRedisAnswers.class)
                    .warn(
                            "Redis is not reachable, so the database answers alone. The connection is retried on"
                                    + " demand.",
                            e);
        }
    }

    /** One connects, and nobody waits for it: the database answers. */
    private RedisAnswers place() {
        RedisAnswers known = connected;
        if (known != null) {
            return known;
        }
        if (!lock.tryLock()) {
            throw new StoreException("The connection to Redis is being established.", null);
        }
        try {
            known = connected;
            if (known == null) {
                known = connecting.get();
                connected = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Claim.Settled> get(Key key) {
        return place().get(key);
    }

    @Override
    public List<Optional<Claim.Settled>> getAll(List<Key> keys) {
        return place().getAll(keys);
    }

    @Override
    public void put(Key key, Claim.Settled settled, Duration freshFor, long asked) {
        place().put(key, settled, freshFor, asked);
    }

    @Override
    public void forget(Key key) {
        place().forget(key);
    }

    @Override
    public void close() {
        RedisAnswers known = connected;
        if (known != null) {
            known.close();
        }
    }
}
