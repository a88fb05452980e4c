// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Renews the leases of attempts in flight, many at a time, on a thread that their work cannot occupy. */
final class Heartbeat {

    private static final int MOST_AT_ONCE = 256;

    private final Store store;
    private final Time time;
    private final Collection<Running> running;
    private final long origin;
    /** When the next beat is scheduled, so that registering an attempt costs no more than a look at this. */
    private final AtomicLong next = new AtomicLong(Long.MAX_VALUE);

    Heartbeat(Store store, Time time, Collection<Running> running) {
        this.store = store;
        this.time = time;
        this.running = running;
        this.origin = time.nanos();
    }

    void watch(Running attempt) {
        attempt.due = now() + third(attempt);
        schedule(attempt.due);
    }

    private void schedule(long due) {
        long scheduled = next.get();
        while (due < scheduled) {
            if (next.compareAndSet(scheduled, due)) {
                time.schedule(Duration.ofNanos(Math.max(0, due - now())), this::beat);
                return;
            }
            scheduled = next.get();
        }
    }

    private void beat() {
        // First, so that an attempt registered from now on schedules a beat of its own if the scan below misses it.
        next.set(Long.MAX_VALUE);
        try {
            renewDue();
        } finally {
            running.stream().mapToLong(attempt -> attempt.due).min().ifPresent(this::schedule);
        }
    }

    private void renewDue() {
        long now = now();
        List<Running> batch = new ArrayList<>();
        for (Running attempt : running) {
            if (attempt.due > now) {
                continue;
            }
            if (attempt.renewAlone) {
                renew(List.of(attempt));
            } else {
                batch.add(attempt);
            }
            if (batch.size() == MOST_AT_ONCE) {
                renew(batch);
                batch = new ArrayList<>();
            }
        }
        if (!batch.isEmpty()) {
            renew(batch);
        }
    }

    private void renew(List<Running> batch) {
        List<Boolean> applied;
        try {
            applied = store.settleAll(batch.stream().map(Running::heartbeat).toList());
        } catch (RuntimeException e) {
            batch.forEach(attempt -> failed(attempt, e));
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            Running attempt = batch.get(i);
            attempt.due = now() + third(attempt);
            attempt.renewAlone = false;
            if (!applied.get(i)) {
                attempt.renewRefused();
            }
        }
    }

    /** Tried again soon, and alone, so that one key that the store cannot stand does not cost the others their lease. */
    private void failed(Running attempt, RuntimeException cause) {
        attempt.due = now() + third(attempt) / 4;
        attempt.renewAlone = true;
        attempt.renewFailed(cause);
    }

    private static long third(Running attempt) {
        return attempt.lease().toNanos() / 3;
    }

    private long now() {
        return time.nanos() - origin;
    }
}
