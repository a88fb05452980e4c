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
 * A lock for each key that is in use, and none that two keys share: a store that blocks on one key blocks no other (S14). A call
 * waits for its turn for a while only, and until it is interrupted.
 */
final class Turns {

    /** As long as a store in a database waits for a row. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ConcurrentMap<Key, Turn> turns = new ConcurrentHashMap<>();
    private final Duration patience;

    Turns() {
        this(PATIENCE);
    }

    Turns(Duration patience) {
        this.patience = patience;
    }

    <T> T inTurn(Key key, Supplier<T> action) {
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
