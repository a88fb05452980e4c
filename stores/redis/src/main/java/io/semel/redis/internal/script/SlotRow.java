// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Slot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A slot's row in Redis; see {@code docs/formats/redis.md}. */
public record SlotRow(
        char state,
        long until,
        long since,
        long forget,
        long fence,
        int attempts,
        Fingerprint print,
        Key key,
        byte[] tail) {

    private static final int STATE = 2;
    private static final int NAME = 57;

    static SlotRow read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes, STATE, bytes.length - STATE);
        char state = (char) in.get();
        long until = in.getLong();
        long since = in.getLong();
        long forget = in.getLong();
        int attempts = Short.toUnsignedInt(in.getShort());
        Fingerprint print = new Fingerprint(in.getLong(), in.getLong());
        long fence = in.getLong();
        int scope = in.getShort();
        int id = in.getShort();
        String scopeText = new String(bytes, NAME, scope, StandardCharsets.UTF_8);
        String idText = new String(bytes, NAME + scope, id, StandardCharsets.UTF_8);
        byte[] tail = Arrays.copyOfRange(bytes, NAME + scope + id, bytes.length);
        return new SlotRow(state, until, since, forget, fence, attempts, print, new Key(scopeText, idText), tail);
    }

    /** Whether at most a fence is remembered; such a row need not have a key. */
    static boolean isFree(byte[] bytes, long now) {
        char state = (char) bytes[STATE];
        return state == 'F' || (state != 'H' && ByteBuffer.wrap(bytes).getLong(STATE + 17) <= now);
    }

    public Claim claim(long now) {
        return switch (state(now)) {
            case HELD, LAPSED -> new Claim.Held(print, Micros.left(until, now));
            case UNKNOWN, SETTLED -> new Claim.Settled(print, tail, Micros.left(until, now));
            case GONE -> new Claim.Settled(print, null, Micros.left(forget, now));
        };
    }

    public Slot slot(long now) {
        Slot.State seen = state(now);
        boolean held = state == 'H';
        byte @Nullable [] result = held || seen == Slot.State.GONE ? null : tail;
        return new Slot(
                key,
                print,
                seen,
                fence,
                attempts,
                held ? new String(tail, StandardCharsets.US_ASCII) : null,
                Micros.between(since, now),
                Micros.left(seen == Slot.State.GONE ? forget : until, now),
                result);
    }

    public Slot.State state(long now) {
        boolean over = until <= now;
        if (state == 'H') {
            return over ? Slot.State.LAPSED : Slot.State.HELD;
        }
        if (over || state == 'G') {
            return Slot.State.GONE;
        }
        return state == 'U' || state == 'u' ? Slot.State.UNKNOWN : Slot.State.SETTLED;
    }
}
