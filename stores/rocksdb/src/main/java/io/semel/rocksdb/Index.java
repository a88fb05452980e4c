// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import java.nio.ByteBuffer;

/**
 * A key of the index, which lists slots by what they wait for and then by age. Within one term (a retention and a
 * remembrance) the order of age is the order of expiry too, so one list serves paging and purging.
 */
record Index(byte list, long retention, long remembrance, long since, Id id) {

    /** Claimed and not settled. */
    static final byte HELD = 1;
    /** Settled as unknown; listed under SETTLED too. */
    static final byte UNKNOWN = 2;
    /** With a result. */
    static final byte SETTLED = 3;
    /** Without one any more. */
    static final byte GONE = 4;

    private static final int TERM = 1 + 2 * Long.BYTES;
    private static final int BYTES = TERM + Long.BYTES + Id.BYTES;

    static Index of(Row row, Id id) {
        if (row.isHeld()) {
            return new Index(HELD, 0, 0, row.since(), id);
        }
        long retention = span(row.since(), row.until());
        return new Index(row.hasResult() ? SETTLED : GONE, retention, span(row.until(), row.forget()), row.since(), id);
    }

    static Index unknown(Row row, Id id) {
        return new Index(UNKNOWN, 0, 0, row.since(), id);
    }

    static Index read(byte[] key) {
        ByteBuffer buffer = ByteBuffer.wrap(key);
        byte list = buffer.get();
        return new Index(list, buffer.getLong(), buffer.getLong(), buffer.getLong(), Id.at(key, TERM + Long.BYTES));
    }

    static byte[] start(byte list) {
        return new byte[] {list};
    }

    byte[] bytes() {
        ByteBuffer key = ByteBuffer.allocate(BYTES).put(list).putLong(retention).putLong(remembrance);
        return key.putLong(since).putLong(id.high()).putLong(id.low()).array();
    }

    boolean isSameTerm(Index other) {
        return list == other.list && retention == other.retention && remembrance == other.remembrance;
    }

    /** Of the same term, at another place. */
    Index at(long otherSince, Id otherId) {
        return new Index(list, retention, remembrance, otherSince, otherId);
    }

    /** A key above this one and every other of its term. */
    byte[] afterTerm() {
        return at(Micros.NEVER, new Id(-1, -1)).after();
    }

    /** The very next key. */
    byte[] after() {
        return ByteBuffer.allocate(BYTES + 1).put(bytes()).array();
    }

    /** What was settled then or before, in this term, is due now: its result in SETTLED, its mark in GONE. */
    long dueSince(long now) {
        long span = list == SETTLED ? retention : total();
        return span == Micros.NEVER ? Long.MIN_VALUE : now - span;
    }

    /** What was settled then or before, in this term, is forgotten by now. */
    long forgottenSince(long now) {
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
