// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Slot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A slot's row, in the format of {@code docs/formats/rocksdb.md}; fields are decoded when they are needed. */
public final class SlotRow {

    private static final byte FORMAT = 1;

    private static final byte HELD = 0;
    private static final byte SETTLED = 1;
    private static final byte GONE = 2;

    private static final int STATE = 1;
    private static final int FENCE = 2;
    private static final int PRINT = 10;
    private static final int SINCE = 26;
    private static final int UNTIL = 34;
    private static final int FORGET = 42;
    private static final int ATTEMPTS = 50;
    private static final int SCOPE_LENGTH = 54;
    private static final int ID_LENGTH = 56;
    private static final int SCOPE = 58;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;

    private SlotRow(byte[] bytes) {
        this.bytes = bytes;
    }

    public static SlotRow read(byte[] bytes) {
        if (bytes.length < SCOPE || bytes[0] != FORMAT || bytes[STATE] < HELD || bytes[STATE] > GONE) {
            throw new StoreException(
                    "A stored slot of " + bytes.length + " bytes is not in row format " + FORMAT
                            + "; it was written by a newer version of Semel, or is damaged.",
                    null);
        }
        return new SlotRow(bytes);
    }

    public static SlotRow held(
            Key key, Fingerprint print, String holder, long fence, int attempts, long since, long until) {
        byte[] scope = key.scope().getBytes(StandardCharsets.UTF_8);
        byte[] id = key.id().getBytes(StandardCharsets.UTF_8);
        byte[] token = holder.getBytes(StandardCharsets.UTF_8);
        ByteBuffer row = ByteBuffer.allocate(SCOPE + scope.length + id.length + token.length);
        row.put(FORMAT).put(HELD).putLong(fence);
        row.putLong(print.high()).putLong(print.low());
        row.putLong(since).putLong(until).putLong(Micros.NEVER).putInt(attempts);
        row.putShort((short) scope.length).putShort((short) id.length);
        row.put(scope).put(id).put(token);
        return new SlotRow(row.array());
    }

    public SlotRow renewed(long until) {
        byte[] copy = bytes.clone();
        LONG.set(copy, UNTIL, until);
        return new SlotRow(copy);
    }

    public SlotRow settled(byte[] result, Retention kept, long now) {
        long until = Micros.after(now, kept.retention());
        byte[] copy = withTail(SETTLED, result);
        LONG.set(copy, SINCE, now);
        LONG.set(copy, UNTIL, until);
        LONG.set(copy, FORGET, Micros.after(until, kept.remembrance()));
        return new SlotRow(copy);
    }

    public SlotRow gone() {
        return new SlotRow(withTail(GONE, new byte[0]));
    }

    private byte[] withTail(byte state, byte[] tail) {
        int head = tailStart();
        byte[] copy = Arrays.copyOf(bytes, head + tail.length);
        System.arraycopy(tail, 0, copy, head, tail.length);
        copy[STATE] = state;
        return copy;
    }

    public boolean isHeld() {
        return bytes[STATE] == HELD;
    }

    /** Whether a result is stored, expired or not. */
    public boolean hasResult() {
        return bytes[STATE] == SETTLED;
    }

    public boolean hasResult(byte[] seen) {
        return hasResult() && hasTail(seen);
    }

    public boolean isUnknown() {
        return hasResult() && Slot.State.ofResult(tail()) == Slot.State.UNKNOWN;
    }

    /** Whether its remembrance has ended, so that the slot is free. */
    public boolean isFree(long now) {
        return !isHeld() && forget() <= now;
    }

    public boolean isHeldBy(String holder) {
        return isHeld() && hasTail(holder.getBytes(StandardCharsets.UTF_8));
    }

    public boolean isGrant(String holder, long fence) {
        return fence() == fence && isHeldBy(holder);
    }

    public boolean hasPrint(Fingerprint print) {
        return longAt(PRINT) == print.high() && longAt(PRINT + Long.BYTES) == print.low();
    }

    public Slot.State state(long now) {
        boolean over = until() <= now;
        if (isHeld()) {
            return over ? Slot.State.LAPSED : Slot.State.HELD;
        }
        return over || !hasResult() ? Slot.State.GONE : Slot.State.ofResult(tail());
    }

    /** The answer to a claim that is not granted. */
    public Claim claim(long now) {
        if (isHeld()) {
            return new Claim.Held(print(), Micros.left(until(), now));
        }
        return hasResult() && until() > now
                ? new Claim.Settled(print(), tail(), Micros.left(until(), now))
                : new Claim.Settled(print(), null, Micros.left(forget(), now));
    }

    public Slot slot(long now) {
        Slot.State state = state(now);
        return new Slot(
                key(),
                print(),
                state,
                fence(),
                attempts(),
                isHeld() ? new String(tail(), StandardCharsets.UTF_8) : null,
                Micros.between(since(), Math.max(now, since())),
                Micros.left(state == Slot.State.GONE ? forget() : until(), now),
                result(state));
    }

    private byte @Nullable [] result(Slot.State state) {
        return isHeld() || state == Slot.State.GONE ? null : tail();
    }

    Key key() {
        int scope = (short) SHORT.get(bytes, SCOPE_LENGTH);
        int id = (short) SHORT.get(bytes, ID_LENGTH);
        return new Key(
                new String(bytes, SCOPE, scope, StandardCharsets.UTF_8),
                new String(bytes, SCOPE + scope, id, StandardCharsets.UTF_8));
    }

    public long fence() {
        return longAt(FENCE);
    }

    public int attempts() {
        return (int) INT.get(bytes, ATTEMPTS);
    }

    /** When it was claimed or settled. */
    long since() {
        return longAt(SINCE);
    }

    /** When its lease or its retention ends. */
    public long until() {
        return longAt(UNTIL);
    }

    /** When its remembrance ends. */
    long forget() {
        return longAt(FORGET);
    }

    public byte[] bytes() {
        return bytes;
    }

    private Fingerprint print() {
        return new Fingerprint(longAt(PRINT), longAt(PRINT + Long.BYTES));
    }

    private long longAt(int offset) {
        return (long) LONG.get(bytes, offset);
    }

    private byte[] tail() {
        return Arrays.copyOfRange(bytes, tailStart(), bytes.length);
    }

    private boolean hasTail(byte[] tail) {
        return Arrays.equals(bytes, tailStart(), bytes.length, tail, 0, tail.length);
    }

    private int tailStart() {
        return SCOPE + (short) SHORT.get(bytes, SCOPE_LENGTH) + (short) SHORT.get(bytes, ID_LENGTH);
    }
}
