// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import java.nio.ByteBuffer;

/**
 * A key of the index, which lists slots by the event they wait for and then by age. Within one term (a retention and a
 * remembrance) the order of age is also the order of expiry, so one list serves paging and purging.
 */
public record IndexKey(byte list, long retention, long remembrance, long since, RowId id) {

    /** Claimed and not settled. */
    public static final byte HELD = 1;
    /** Settled as unknown; listed under SETTLED too. */
    public static final byte UNKNOWN = 2;
    /** With a result. */
    public static final byte SETTLED = 3;
    /** Without a result, after its retention. */
    public static final byte GONE = 4;

    private static final int TERM = 1 + 2 * Long.BYTES;
    private static final int BYTES = TERM + Long.BYTES + RowId.BYTES;

    public static IndexKey of(SlotRow row, RowId id) {
        if (row.isHeld()) {
            return new IndexKey(HELD, 0, 0, row.since(), id);
        }
        long retention = span(row.since(), row.until());
        return new IndexKey(
                row.hasResult() ? SETTLED : GONE, retention, span(row.until(), row.forget()), row.since(), id);
    }

    public static IndexKey unknown(SlotRow row, RowId id) {
        return new IndexKey(UNKNOWN, 0, 0, row.since(), id);
    }

    public static IndexKey read(byte[] key) {
        ByteBuffer buffer = ByteBuffer.wrap(key);
        byte list = buffer.get();
        return new IndexKey(
                list, buffer.getLong(), buffer.getLong(), buffer.getLong(), RowId.at(key, TERM + Long.BYTES));
    }

    public static byte[] start(byte list) {
        return new byte[] {list};
    }

    public byte[] bytes() {
        ByteBuffer key = ByteBuffer.allocate(BYTES).put(list).putLong(retention).putLong(remembrance);
        return key.putLong(since).putLong(id.high()).putLong(id.low()).array();
    }

    public boolean isSameTerm(IndexKey other) {
        return list == other.list && retention == other.retention && remembrance == other.remembrance;
    }

    /** The same term at another position. */
    public IndexKey at(long otherSince, RowId otherId) {
        return new IndexKey(list, retention, remembrance, otherSince, otherId);
    }

    /** A key above this one and every other of its term. */
    public byte[] afterTerm() {
        return at(Micros.NEVER, new RowId(-1, -1)).after();
    }

    /** The immediate successor of this key. */
    public byte[] after() {
        return ByteBuffer.allocate(BYTES + 1).put(bytes()).array();
    }

    /** Slots of this term settled at this time or earlier are due: their result in SETTLED, their mark in GONE. */
    public long dueSince(long now) {
        long span = list == SETTLED ? retention : total();
        return span == Micros.NEVER ? Long.MIN_VALUE : now - span;
    }

    /** Slots of this term settled at this time or earlier are forgotten. */
    public long forgottenSince(long now) {
        boolean never = list == HELD || list == UNKNOWN || total() == Micros.NEVER;
        return never ? Long.MIN_VALUE : now - total();
    }

    private long total() {
        return retention == Micros.NEVER || remembrance == Micros.NEVER ? Micros.NEVER : retention + remembrance;
    }

    private static long span(long from, long to) {
        return to == Micros.NEVER ? Micros.NEVER : to - from;
    }
}
