// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Fingerprint;
import io.semel.Outcome.Reason;
import io.semel.Settlement;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one session above its client's mark. What it decides depends on nothing but what it was told, and when;
 * whoever owns it brings the time and sees to it that one thread is here at once.
 */
final class Requests {

    private final Session session;
    private final TreeMap<Long, Slot> slots = new TreeMap<>();

    private long mark = 1;
    private long lastDone;
    private long fences;
    private long until;
    private SessionStore.State state = SessionStore.State.LIVE;

    Requests(Session session, long now) {
        this.session = session;
        this.until = now + session.lease().toNanos();
    }

    boolean isLive() {
        return state == SessionStore.State.LIVE;
    }

    int size() {
        return slots.size();
    }

    /** Once it has expired it stays so. */
    SessionStore.State state(long now) {
        if (state == SessionStore.State.LIVE && now >= until) {
            end(SessionStore.State.EXPIRED);
        }
        return state;
    }

    void end(SessionStore.State last) {
        state = last;
        slots.clear();
    }

    long sinceEnd(long now) {
        return now - until;
    }

    /** The client is there, and has received all answers below this number. */
    void hear(long firstOutstanding, long now) {
        believe(session.lease(), now);
        if (firstOutstanding > mark) {
            mark = firstOutstanding;
            drop(now);
        }
    }

    Claim claim(Call call, long number, String holder, Duration lease, long now) {
        hear(call.firstOutstanding(), now);
        if (number < mark) {
            return new Claim.Refused(Reason.STALE);
        }
        if (number - mark >= session.window()) {
            return new Claim.Refused(Reason.WINDOW_FULL);
        }
        Slot slot = slots.get(number);
        if (slot == null) {
            return session.mode() == Session.Mode.STRICT && number != Math.max(lastDone + 1, mark)
                    ? new Claim.Refused(Reason.OUT_OF_ORDER)
                    : grant(number, call.fingerprint(), false, holder, lease, now);
        }
        if (holder.equals(slot.holder)) {
            return extend(slot, lease, now);
        }
        return slot.isLapsed(now) && slot.print.equals(call.fingerprint())
                ? grant(number, slot.print, true, holder, lease, now)
                : known(slot, now);
    }

    boolean settle(long number, String holder, long fence, Settlement settlement, long now) {
        Slot slot = slots.get(number);
        if (slot == null || !holder.equals(slot.holder) || slot.fence != fence) {
            return false;
        }
        if (settlement instanceof Settlement.Renew more) {
            slot.until = now + more.lease().toNanos();
            believe(more.lease(), now);
        } else if (settlement instanceof Settlement.Complete done) {
            complete(slot, number, done.result(), now);
        } else {
            slots.remove(number);
        }
        return true;
    }

    Optional<Claim> peek(long number, long now) {
        return Optional.ofNullable(slots.get(number)).map(slot -> known(slot, now));
    }

    private Claim grant(long number, Fingerprint print, boolean abandoned, String holder, Duration lease, long now) {
        Slot slot = new Slot(print, ++fences, abandoned, holder);
        slots.put(number, slot);
        return extend(slot, lease, now);
    }

    private Claim extend(Slot slot, Duration lease, long now) {
        slot.until = now + lease.toNanos();
        believe(lease, now);
        return new Claim.Granted(slot.fence, slot.abandoned);
    }

    private Claim known(Slot slot, long now) {
        return slot.result == null
                ? new Claim.Held(slot.print, Duration.ofNanos(Math.max(0, slot.until - now)))
                : new Claim.Settled(slot.print, slot.result, Duration.ofNanos(until - now));
    }

    /** The client still has to get the answer, unless it has said that it does not wait for it. */
    private void complete(Slot slot, long number, byte[] result, long now) {
        believe(session.lease(), now);
        lastDone = Math.max(lastDone, number);
        if (number < mark) {
            slots.remove(number);
        } else {
            slot.holder = null;
            slot.result = result;
        }
    }

    /** A session lasts as long as its client is heard of, and as long as one of its requests may be running. */
    private void believe(Duration lease, long now) {
        until = Math.max(until, now + lease.toNanos());
    }

    /** What runs may end in peace; nobody will ask for it. */
    private void drop(long now) {
        Iterator<Slot> below = slots.headMap(mark).values().iterator();
        while (below.hasNext()) {
            Slot slot = below.next();
            if (slot.result != null || slot.isLapsed(now)) {
                below.remove();
            }
        }
    }

    /** One number: in flight, or done. */
    private static final class Slot {

        final Fingerprint print;
        final long fence;
        final boolean abandoned;

        @Nullable
        String holder;

        byte @Nullable [] result;
        long until;

        Slot(Fingerprint print, long fence, boolean abandoned, String holder) {
            this.print = print;
            this.fence = fence;
            this.abandoned = abandoned;
            this.holder = holder;
        }

        boolean isLapsed(long now) {
            return result == null && now >= until;
        }
    }
}
