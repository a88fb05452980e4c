// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import io.semel.Key;
import java.nio.ByteBuffer;

/** The 16-byte hash of a key, under which its row is stored. */
public record RowId(long high, long low) {

    static final int BYTES = Key.HASH_BYTES;
    public static final RowId LOWEST = new RowId(0, 0);

    public static RowId of(Key key) {
        return at(key.hash(), 0);
    }

    static RowId at(byte[] bytes, int offset) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, BYTES);
        return new RowId(buffer.getLong(), buffer.getLong());
    }

    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /** Compares as the bytes do. */
    public static int compare(RowId one, RowId other) {
        int high = Long.compareUnsigned(one.high, other.high);
        return high != 0 ? high : Long.compareUnsigned(one.low, other.low);
    }
}
