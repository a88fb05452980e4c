// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
import io.semel.time.Time;
import java.time.Duration;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Rolls back transactions that their engines neither end nor renew, so that no key and no connection is held without end. It
 * looks at them now and then, for as long as there are any. The timer's thread only looks: whatever speaks to a database has a
 * thread of its own, so that a connection that hangs holds up no other.
 */
final class Lookout {

    private static final Duration PAUSE = Duration.ofMillis(500);
    /** Counted in looks and not in time: a process that was stopped, and goes on, must have time to renew. */
    private static final int MOST_LOOKS = 3;

    private final ConcurrentMap<Key, Transaction> running;
    private final Time time;
    private final AtomicBoolean pending = new AtomicBoolean();

    Lookout(ConcurrentMap<Key, Transaction> running, Time time) {
        this.running = running;
        this.time = time;
    }

    /** For a transaction that was added but has not begun: without a thread for this, it must not begin. */
    void watch() {
        if (pending.get() || !pending.compareAndSet(false, true)) {
            return;
        }
        try {
            time.schedule(PAUSE, this::look);
        } catch (Throwable e) {
            pending.set(false);
            throw e;
        }
    }

    private void look() {
        try {
            running.forEach(this::lookAt);
        } finally {
            pending.set(false);
            if (!running.isEmpty()) {
                watch();
            }
        }
    }

    private void lookAt(Key key, Transaction transaction) {
        int looks = transaction.looksOverdue();
        if (looks > 2 * MOST_LOOKS) {
            time.execute(transaction::abort);
        } else if (looks > MOST_LOOKS) {
            time.execute(() -> giveUp(key, transaction));
        }
    }

    private void giveUp(Key key, Transaction transaction) {
        if (transaction.giveUp()) {
            running.remove(key, transaction);
        }
    }
}
