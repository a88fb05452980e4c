// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A lock for each key that is in use, and none that two keys share: a store that blocks on one key blocks no other (S14). */
final class Turns {

    private final ConcurrentMap<Key, Turn> turns = new ConcurrentHashMap<>();

    <T> T inTurn(Key key, Supplier<T> action) {
        ReentrantLock lock = enter(key).lock;
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
            leave(key);
        }
    }

    private Turn enter(Key key) {
        return turns.merge(key, new Turn(new ReentrantLock(), 1), (present, one) -> present.with(1));
    }

    private void leave(Key key) {
        turns.computeIfPresent(key, (unused, turn) -> turn.users == 1 ? null : turn.with(-1));
    }

    /** How many keys are in use. */
    int size() {
        return turns.size();
    }

    private record Turn(ReentrantLock lock, int users) {

        Turn with(int more) {
            return new Turn(lock, users + more);
        }
    }
}
