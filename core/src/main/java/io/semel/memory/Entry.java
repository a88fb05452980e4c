// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The record of one key; immutable, so that whoever looks at it needs no lock. Equal only to itself. */
final class Entry {

    /** Map node, key, strings, this object, fingerprint, place in the expiry: about what a heap takes for them. */
    private static final int FIXED_BYTES = 240;

    final Key key;
    final Fingerprint fingerprint;
    /** HELD, UNKNOWN, SETTLED or GONE; {@link #state(long)} says what time has made of it. */
    final Slot.State written;

    final long fence;
    final int attempts;
    final @Nullable String holder;
    final byte @Nullable [] result;
    /** When it was claimed or settled. */
    final long since;
    /** When its lease or its retention ends. */
    final long until;
    /** When its remembrance ends. */
    final long forget;

    private Entry(
            Key key,
            Fingerprint fingerprint,
            Slot.State written,
            long fence,
            int attempts,
            @Nullable String holder,
            byte @Nullable [] result,
            long since,
            long until,
            long forget) {
        this.key = key;
        this.fingerprint = fingerprint;
        this.written = written;
        this.fence = fence;
        this.attempts = attempts;
        this.holder = holder;
        this.result = result;
        this.since = since;
        this.until = until;
        this.forget = forget;
    }

    static Entry held(Call call, String holder, long fence, int attempts, long since, long until) {
        Slot.State held = Slot.State.HELD;
        return new Entry(
                call.key(), call.fingerprint(), held, fence, attempts, holder, null, since, until, Long.MAX_VALUE);
    }

    Entry renewed(long lease) {
        return new Entry(key, fingerprint, written, fence, attempts, holder, null, since, lease, forget);
    }

    Entry settled(Settlement.Complete complete, long now) {
        byte[] copy = complete.result().clone();
        long retained = later(now, complete.retention().retention());
        long remembered = later(retained, complete.retention().remembrance());
        return ended(Slot.State.ofResult(copy), copy, now, retained, remembered);
    }

    private Entry ended(Slot.State state, byte @Nullable [] kept, long at, long retained, long remembered) {
        return new Entry(key, fingerprint, state, fence, attempts, null, kept, at, retained, remembered);
    }

    /** What time has left of it: itself, its key without the result, or nothing. */
    @Nullable
    Entry at(long now) {
        if (isHeld() || until > now) {
            return this;
        }
        if (forget <= now) {
            return null;
        }
        return written == Slot.State.GONE ? this : ended(Slot.State.GONE, null, since, until, forget);
    }

    boolean isHeld() {
        return written == Slot.State.HELD;
    }

    boolean isHeldBy(String token) {
        return token.equals(holder);
    }

    Slot.State state(long now) {
        if (until > now) {
            return written;
        }
        return isHeld() ? Slot.State.LAPSED : Slot.State.GONE;
    }

    /** When time changes it next, by itself; never for what is held. */
    long due() {
        return isHeld() ? Long.MAX_VALUE : written == Slot.State.GONE ? forget : until;
    }

    /** As others are told of it. */
    Claim claim(long now) {
        if (isHeld()) {
            return new Claim.Held(fingerprint, left(until, now));
        }
        return state(now) == Slot.State.GONE
                ? new Claim.Settled(fingerprint, null, left(forget, now))
                : new Claim.Settled(fingerprint, copyOfResult(), left(until, now));
    }

    /** As operators see it. */
    Slot slot(long now) {
        Slot.State state = state(now);
        boolean gone = state == Slot.State.GONE;
        Duration remaining = left(gone ? forget : until, now);
        byte[] shown = gone ? null : copyOfResult();
        Duration age = Duration.ofNanos(now - since);
        return new Slot(key, fingerprint, state, fence, attempts, holder, age, remaining, shown);
    }

    /** Roughly what it takes of the heap. */
    long bytes() {
        int token = holder == null ? 0 : holder.length();
        return (long) FIXED_BYTES
                + key.scope().length()
                + key.id().length()
                + token
                + (result == null ? 0 : result.length);
    }

    private byte @Nullable [] copyOfResult() {
        return result == null ? null : result.clone();
    }

    private static Duration left(long until, long now) {
        return until == Long.MAX_VALUE ? Retention.FOREVER : Duration.ofNanos(Math.max(0, until - now));
    }

    private static long later(long from, Duration span) {
        return from == Long.MAX_VALUE || span.equals(Retention.FOREVER) ? Long.MAX_VALUE : from + span.toNanos();
    }
}
