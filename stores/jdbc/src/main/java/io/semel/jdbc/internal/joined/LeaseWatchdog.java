// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.joined;

import io.semel.Key;
import io.semel.time.Time;
import java.time.Duration;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Rolls back transactions that their engines neither end nor renew, so that no key and no connection is held forever.
 * It checks them periodically while there are any. The timer's thread only checks; each use of a database has a thread
 * of its own, so that one hanging connection delays no other.
 */
public final class LeaseWatchdog {

    private static final Duration PAUSE = Duration.ofMillis(500);
    /**
     * Counted in checks and not in time, because a process that was suspended must have time to renew when it goes on.
     */
    private static final int MOST_CHECKS = 3;

    private final ConcurrentMap<Key, AttemptTransaction> running;
    private final Time time;
    private final AtomicBoolean pending = new AtomicBoolean();

    public LeaseWatchdog(ConcurrentMap<Key, AttemptTransaction> running, Time time) {
        this.running = running;
        this.time = time;
    }

    /** Watches a transaction that is about to begin; if no thread is available for this, it must not begin. */
    public void watch() {
        if (pending.get() || !pending.compareAndSet(false, true)) {
            return;
        }
        try {
            time.schedule(PAUSE, this::checkAll);
        } catch (Throwable e) {
            pending.set(false);
            throw e;
        }
    }

    private void checkAll() {
        try {
            running.forEach(this::check);
        } finally {
            pending.set(false);
            if (!running.isEmpty()) {
                watch();
            }
        }
    }

    private void check(Key key, AttemptTransaction transaction) {
        int checks = transaction.overdueChecks();
        if (checks > 2 * MOST_CHECKS) {
            time.execute(transaction::abort);
        } else if (checks > MOST_CHECKS) {
            time.execute(() -> giveUp(key, transaction));
        }
    }

    private void giveUp(Key key, AttemptTransaction transaction) {
        if (transaction.giveUp()) {
            running.remove(key, transaction);
        }
    }
}
