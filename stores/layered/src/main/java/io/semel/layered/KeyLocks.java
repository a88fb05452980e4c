// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A lock for each key in use, never shared by two keys: a store that blocks on one key blocks no other (S14). */
final class KeyLocks {

    private final ConcurrentMap<Key, CountedLock> locks = new ConcurrentHashMap<>();

    <T> T withLock(Key key, Supplier<T> action) {
        ReentrantLock lock = enter(key).lock;
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
            leave(key);
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
