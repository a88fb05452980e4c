// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import io.semel.StoreException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A lock for each key in use, never shared by two keys: a store that blocks on one key blocks no other (S14). A call waits for
 * the lock for a bounded time, and until it is interrupted.
 */
final class KeyLocks {

    /** As long as a store in a database waits for a row. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ConcurrentMap<Key, CountedLock> locks = new ConcurrentHashMap<>();

    private final Duration patience;

    KeyLocks() {
        this(PATIENCE);
    }

    KeyLocks(Duration patience) {
        this.patience = patience;
    }

    <T> T withLock(Key key, Supplier<T> action) {
        ReentrantLock lock = enter(key).lock;
        try {
            await(key, lock);
            try {
                return action.get();
            } finally {
                lock.unlock();
            }
        } finally {
            leave(key);
        }
    }

    private void await(Key key, ReentrantLock lock) {
        try {
            if (!lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw StoreException.changedNothing(
                        "Another call of this process has been asking the stores about " + key + " for more than "
                                + patience + ".",
                        null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.changedNothing(
                    "The thread was interrupted while it waited for another call about " + key + ".", e);
        }
    }

    private CountedLock enter(Key key) {
        return locks.merge(key, new CountedLock(new ReentrantLock(), 1), (present, one) -> present.with(1));
    }

    private void leave(Key key) {
        locks.computeIfPresent(key, (unused, counted) -> counted.users == 1 ? null : counted.with(-1));
    }

    /** The number of keys in use. */
    int size() {
        return locks.size();
    }

    private record CountedLock(ReentrantLock lock, int users) {

        CountedLock with(int more) {
            return new CountedLock(lock, users + more);
        }
    }
}
