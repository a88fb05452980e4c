// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.StoreException;
import io.semel.store.Store;
import io.semel.time.Time;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of attempts in flight, many with one statement.
 *
 * <p>The timer's thread only says what is due. Every renewal has a thread of its own and a third of the lease to return in;
 * then it is interrupted and its attempts are renewed one by one, so that a key on which the store blocks costs no other its
 * lease. An attempt whose own renewal hangs is not renewed again before that returns.
 */
final class Heartbeat {

    private static final int MOST_AT_ONCE = 256;
    /** What falls due within this part of a third of a lease is renewed along with what is due now. */
    private static final int EARLY = 8;

    private static final int MOST_UNTOLD = 1_000;

    private final Store store;
    private final Time time;
    private final Collection<ActiveAttempt> running;
    private final Alarm alarm;
    /** What the listener has still to be told, because there was no thread to tell it on. */
    private final Deque<Runnable> untold = new ArrayDeque<>();

    Heartbeat(Store store, Time time, Collection<ActiveAttempt> running) {
        this.store = store;
        this.time = time;
        this.running = running;
        this.alarm = new Alarm(time, this::beat);
    }

    void watch(ActiveAttempt attempt) {
        attempt.due = alarm.now() + third(attempt);
        alarm.ringAt(attempt.due);
    }

    private void beat() {
        List<Renewal> renewals = new ArrayList<>();
        List<ActiveAttempt> slow = new ArrayList<>();
        try {
            leaveForgotten().forEach(attempt -> tellLater(attempt::tellOverdue));
            collect(renewals, slow);
            renewals.forEach(this::start);
            slow.forEach(attempt -> tellLater(() -> attempt.renewFailed(hangs(attempt))));
        } finally {
            tellElsewhere();
            running.stream().mapToLong(attempt -> attempt.due).min().ifPresent(alarm::ringAt);
        }
    }

    private synchronized void tellLater(Runnable word) {
        if (untold.size() == MOST_UNTOLD) {
            untold.removeFirst();
        }
        untold.addLast(word);
    }

    /** Never on the timer's thread, because a listener may take its time: if no other is to be had, at a later beat. */
    private void tellElsewhere() {
        List<Runnable> words;
        synchronized (this) {
            words = List.copyOf(untold);
            untold.clear();
        }
        if (words.isEmpty()) {
            return;
        }
        try {
            time.execute(() -> words.forEach(Runnable::run));
        } catch (RuntimeException | Error e) {
            words.forEach(this::tellLater);
        }
    }

    /** Their leases run out, as after a crash; they may still end, like any that come late, until others have their keys. */
    private List<ActiveAttempt> leaveForgotten() {
        List<ActiveAttempt> forgotten =
                running.stream().filter(ActiveAttempt::isOverdue).toList();
        forgotten.forEach(ActiveAttempt::leave);
        return forgotten;
    }

    private synchronized void collect(List<Renewal> renewals, List<ActiveAttempt> slow) {
        long now = alarm.now();
        List<ActiveAttempt> batch = new ArrayList<>();
        for (ActiveAttempt attempt : running) {
            Renewal hanging = attempt.renewal;
            if (attempt.due > now + (hanging == null ? third(attempt) / EARLY : 0)) {
                continue;
            }
            if (hanging != null && !giveUp(attempt, hanging, slow)) {
                attempt.due = now + third(attempt);
            } else if (attempt.renewAlone) {
                renewals.add(renewal(List.of(attempt), now));
            } else {
                batch.add(attempt);
            }
            if (batch.size() == MOST_AT_ONCE) {
                renewals.add(renewal(batch, now));
                batch = new ArrayList<>();
            }
        }
        if (!batch.isEmpty()) {
            renewals.add(renewal(batch, now));
        }
    }

    /** Whether the attempt may be renewed now: not while a renewal of its own hangs. */
    private static boolean giveUp(ActiveAttempt attempt, Renewal hanging, List<ActiveAttempt> slow) {
        if (!hanging.givenUp) {
            hanging.givenUp = true;
            hanging.interrupt.run();
        }
        attempt.renewAlone = true;
        if (!attempt.toldOfHanging) {
            attempt.toldOfHanging = true;
            slow.add(attempt);
        }
        attempt.hangs |= hanging.isAlone();
        return !hanging.isAlone() || !hanging.started;
    }

    private static Renewal renewal(List<ActiveAttempt> attempts, long now) {
        Renewal renewal = new Renewal(attempts);
        for (ActiveAttempt attempt : attempts) {
            attempt.renewal = renewal;
            attempt.due = now + third(attempt);
        }
        return renewal;
    }

    private void start(Renewal renewal) {
        try {
            Runnable interrupt = time.execute(() -> run(renewal));
            synchronized (this) {
                renewal.interrupt = interrupt;
            }
        } catch (RuntimeException | Error e) {
            note(renewal, true);
            renewal.attempts.forEach(attempt -> tellLater(() -> attempt.renewFailed(e)));
        }
    }

    private void run(Renewal renewal) {
        synchronized (this) {
            if (renewal.givenUp) {
                return;
            }
            renewal.started = true;
        }
        List<Boolean> applied = null;
        Throwable failure = null;
        try {
            applied = renewal.tell(store);
        } catch (Throwable e) {
            failure = e;
        }
        ended(renewal, applied, failure);
    }

    private void ended(Renewal renewal, @Nullable List<Boolean> applied, @Nullable Throwable failure) {
        note(renewal, failure != null);
        for (int i = 0; i < renewal.attempts.size(); i++) {
            ActiveAttempt attempt = renewal.attempts.get(i);
            if (applied != null && !applied.get(i)) {
                attempt.renewRefused();
            } else if (failure != null && !renewal.givenUp) {
                attempt.renewFailed(failure);
            }
        }
    }

    /** What failed is tried again soon, and alone, so that one key that the store cannot stand harms no other. */
    private synchronized void note(Renewal renewal, boolean failed) {
        long now = alarm.now();
        for (ActiveAttempt attempt : renewal.attempts) {
            // Else it is renewed alone by now, because this renewal took too long.
            if (attempt.renewal == renewal) {
                attempt.renewal = null;
                attempt.toldOfHanging = false;
                attempt.renewAlone = failed || attempt.hangs;
                attempt.due = now + (failed ? third(attempt) / 4 : third(attempt));
                alarm.ringAt(attempt.due);
            }
        }
    }

    private static StoreException hangs(ActiveAttempt attempt) {
        return new StoreException(
                "The renewal of " + attempt.key() + " (fence " + attempt.fence()
                        + ") did not return within a third of its" + " lease of " + attempt.lease() + ".",
                null);
    }

    private static long third(ActiveAttempt attempt) {
        return attempt.lease().toNanos() / 3;
    }
}
