// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Runs a task at the earliest time that was asked for. A timer is set only if no earlier one is pending, so there is one, and
 * never more than there are different leases in use.
 */
final class Alarm {

    private final Time time;
    private final Runnable task;
    private final long origin;
    /** The timers that are set, the earliest first. */
    private final Deque<Long> pending = new ArrayDeque<>();

    /** So that asking for a time that is served already costs no more than a look at this. */
    private volatile long earliest = Long.MAX_VALUE;

    Alarm(Time time, Runnable task) {
        this.time = time;
        this.task = task;
        this.origin = time.nanos();
    }

    /** Nanoseconds since this alarm was made. */
    long now() {
        return time.nanos() - origin;
    }

    void ringAt(long due) {
        if (due >= earliest) {
            return;
        }
        synchronized (pending) {
            if (due >= earliest) {
                return;
            }
            pending.push(due);
            earliest = due;
        }
        try {
            time.schedule(Duration.ofNanos(Math.max(0, due - now())), () -> ring(due));
        } catch (Throwable e) {
            // A timer that was never set must not keep others from being set.
            remove(due);
            throw e;
        }
    }

    private void ring(long due) {
        remove(due);
        task.run();
    }

    private void remove(long due) {
        synchronized (pending) {
            pending.removeFirstOccurrence(due);
            Long next = pending.peek();
            earliest = next == null ? Long.MAX_VALUE : next;
        }
    }
}
