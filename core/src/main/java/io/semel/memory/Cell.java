// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.Fingerprint;
import io.semel.Key;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One slot as one byte array, so that a look-up in a table of millions touches few cache lines: fixed fields, the key,
 * then a tail, which is the holder while the slot is held and the result once it is settled.
 */
final class Cell {

    static final byte HELD = 0;
    static final byte SETTLED = 1;
    static final byte GONE = 2;

    private static final int FENCE = 0;
    private static final int PRINT_HIGH = 8;
    private static final int PRINT_LOW = 16;
    /** When it was claimed or settled. */
    private static final int SINCE = 24;
    /** When its lease or its retention ends. */
    private static final int UNTIL = 32;
    /** When its remembrance ends. */
    private static final int FORGET = 40;

    private static final int ATTEMPTS = 48;
    private static final int SCOPE_LENGTH = 52;
    private static final int ID_LENGTH = 54;
    private static final int STATE = 56;
    private static final int SCOPE = 57;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

    static byte[] held(Address at, Fingerprint print, String holder, long fence, int attempts, long since, long until) {
        byte[] token = holder.getBytes(StandardCharsets.UTF_8);
        int id = SCOPE + at.scope.length;
        int tail = id + at.id.length;
        byte[] cell = new byte[tail + token.length];
        LONG.set(cell, FENCE, fence);
        LONG.set(cell, PRINT_HIGH, print.high());
        LONG.set(cell, PRINT_LOW, print.low());
        LONG.set(cell, SINCE, since);
        LONG.set(cell, UNTIL, until);
        LONG.set(cell, FORGET, Long.MAX_VALUE);
        INT.set(cell, ATTEMPTS, attempts);
        SHORT.set(cell, SCOPE_LENGTH, (short) at.scope.length);
        SHORT.set(cell, ID_LENGTH, (short) at.id.length);
        cell[STATE] = HELD;
        System.arraycopy(at.scope, 0, cell, SCOPE, at.scope.length);
        System.arraycopy(at.id, 0, cell, id, at.id.length);
        System.arraycopy(token, 0, cell, tail, token.length);
        return cell;
    }

    static byte[] settled(byte[] held, byte[] result, long since, long until, long forget) {
        byte[] cell = withTail(held, result);
        cell[STATE] = SETTLED;
        LONG.set(cell, SINCE, since);
        LONG.set(cell, UNTIL, until);
        LONG.set(cell, FORGET, forget);
        return cell;
    }

    static byte[] gone(byte[] settled) {
        byte[] cell = withTail(settled, new byte[0]);
        cell[STATE] = GONE;
        return cell;
    }

    static void renew(byte[] cell, long until) {
        LONG.set(cell, UNTIL, until);
    }

    static boolean isAt(byte[] cell, Address at) {
        int id = SCOPE + at.scope.length;
        return (short) SHORT.get(cell, SCOPE_LENGTH) == at.scope.length
                && (short) SHORT.get(cell, ID_LENGTH) == at.id.length
                && Arrays.equals(cell, id, id + at.id.length, at.id, 0, at.id.length)
                && Arrays.equals(cell, SCOPE, id, at.scope, 0, at.scope.length);
    }

    static boolean hasTail(byte[] cell, byte[] tail) {
        return Arrays.equals(cell, tailStart(cell), cell.length, tail, 0, tail.length);
    }

    static boolean hasHolder(byte[] cell, String holder) {
        return hasTail(cell, holder.getBytes(StandardCharsets.UTF_8));
    }

    static boolean hasPrint(byte[] cell, Fingerprint print) {
        return (long) LONG.get(cell, PRINT_HIGH) == print.high() && (long) LONG.get(cell, PRINT_LOW) == print.low();
    }

    static Fingerprint print(byte[] cell) {
        return new Fingerprint((long) LONG.get(cell, PRINT_HIGH), (long) LONG.get(cell, PRINT_LOW));
    }

    static byte[] tail(byte[] cell) {
        return Arrays.copyOfRange(cell, tailStart(cell), cell.length);
    }

    static String holder(byte[] cell) {
        return new String(tail(cell), StandardCharsets.UTF_8);
    }

    static Key key(byte[] cell) {
        int scope = (short) SHORT.get(cell, SCOPE_LENGTH);
        int id = (short) SHORT.get(cell, ID_LENGTH);
        return new Key(
                new String(cell, SCOPE, scope, StandardCharsets.UTF_8),
                new String(cell, SCOPE + scope, id, StandardCharsets.UTF_8));
    }

    static byte state(byte[] cell) {
        return cell[STATE];
    }

    static long fence(byte[] cell) {
        return (long) LONG.get(cell, FENCE);
    }

    static int attempts(byte[] cell) {
        return (int) INT.get(cell, ATTEMPTS);
    }

    static long since(byte[] cell) {
        return (long) LONG.get(cell, SINCE);
    }

    static long until(byte[] cell) {
        return (long) LONG.get(cell, UNTIL);
    }

    static long forget(byte[] cell) {
        return (long) LONG.get(cell, FORGET);
    }

    private static int tailStart(byte[] cell) {
        return SCOPE + (short) SHORT.get(cell, SCOPE_LENGTH) + (short) SHORT.get(cell, ID_LENGTH);
    }

    private static byte[] withTail(byte[] cell, byte[] tail) {
        int head = tailStart(cell);
        byte[] copy = new byte[head + tail.length];
        System.arraycopy(cell, 0, copy, 0, head);
        System.arraycopy(tail, 0, copy, head, tail.length);
        return copy;
    }

    private Cell() {}
}
