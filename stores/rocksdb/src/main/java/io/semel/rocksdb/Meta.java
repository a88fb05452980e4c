// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of itself, written with every batch: its elapsed time and its last fence, which go back for nobody, how
 * many rows hold a result or only a mark that it is gone, and what the machine's clock said.
 */
record Meta(long time, long fence, long settled, long gone, long date) {

    static final byte[] KEY = "meta".getBytes(StandardCharsets.UTF_8);

    private static final Meta NONE = new Meta(0, 0, 0, 0, 0);
    private static final byte FORMAT = 2;
    private static final int BYTES = 1 + 5 * Long.BYTES;
    private static final byte FORMAT_WITHOUT_DATE = 1;
    private static final int BYTES_WITHOUT_DATE = 1 + 4 * Long.BYTES;

    static Meta read(byte @Nullable [] bytes) {
        if (bytes == null) {
            return NONE;
        }
        if (bytes.length == BYTES_WITHOUT_DATE && bytes[0] == FORMAT_WITHOUT_DATE) {
            return withoutDate(ByteBuffer.wrap(bytes, 1, bytes.length - 1));
        }
        if (bytes.length != BYTES || bytes[0] != FORMAT) {
            throw new StoreException(
                    "The record with the store's own time and fence is not in format " + FORMAT
                            + "; use the version of Semel that wrote it, or restore the directory from a backup.",
                    null);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, BYTES - 1);
        return new Meta(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
    }

    /** Its time was the machine's clock. */
    private static Meta withoutDate(ByteBuffer buffer) {
        long time = buffer.getLong();
        return new Meta(time, buffer.getLong(), buffer.getLong(), buffer.getLong(), time);
    }

    byte[] bytes() {
        ByteBuffer buffer = ByteBuffer.allocate(BYTES).put(FORMAT);
        return buffer.putLong(time)
                .putLong(fence)
                .putLong(settled)
                .putLong(gone)
                .putLong(date)
                .array();
    }

    /** Whether nothing was written before. */
    boolean isFirst() {
        return equals(NONE);
    }

    Meta at(long elapsed, long machine) {
        return new Meta(Math.max(time, elapsed), fence, settled, gone, machine);
    }

    /** By the machine's clock, so that it rises even where the last fences were lost: in async mode, or with a backup restored. */
    Meta granting() {
        return new Meta(time, Math.max(date, fence + 1), settled, gone, date);
    }

    Meta counting(int moreSettled, int moreGone) {
        return new Meta(time, fence, settled + moreSettled, gone + moreGone, date);
    }
}
