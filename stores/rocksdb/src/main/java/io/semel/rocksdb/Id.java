// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Key;
import java.nio.ByteBuffer;

/** The 16-byte hash of a key, under which its row is stored. */
record Id(long high, long low) {

    static final int BYTES = Key.HASH_BYTES;
    static final Id LOWEST = new Id(0, 0);

    static Id of(Key key) {
        return at(key.hash(), 0);
    }

    static Id at(byte[] bytes, int offset) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, BYTES);
        return new Id(buffer.getLong(), buffer.getLong());
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /** The order of the bytes. */
    static int compare(Id one, Id other) {
        int high = Long.compareUnsigned(one.high, other.high);
        return high != 0 ? high : Long.compareUnsigned(one.low, other.low);
    }
}
