// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import io.semel.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The store's own record, written with every batch: its elapsed time and its last fence, which never go back, the
 * numbers of rows with a result and of rows without one, and the time of the machine's clock.
 */
public record StoreState(long time, long fence, long settled, long gone, long date) {

    public static final byte[] KEY = "meta".getBytes(StandardCharsets.UTF_8);

    private static final StoreState NONE = new StoreState(0, 0, 0, 0, 0);
    private static final byte FORMAT = 2;
    private static final int BYTES = 1 + 5 * Long.BYTES;
    private static final byte FORMAT_WITHOUT_DATE = 1;
    private static final int BYTES_WITHOUT_DATE = 1 + 4 * Long.BYTES;

    public static StoreState read(byte @Nullable [] bytes) {
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
        return new StoreState(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
    }

    /** In this format the elapsed time was the machine's clock. */
    private static StoreState withoutDate(ByteBuffer buffer) {
        long time = buffer.getLong();
        return new StoreState(time, buffer.getLong(), buffer.getLong(), buffer.getLong(), time);
    }

    public byte[] bytes() {
        ByteBuffer buffer = ByteBuffer.allocate(BYTES).put(FORMAT);
        return buffer.putLong(time)
                .putLong(fence)
                .putLong(settled)
                .putLong(gone)
                .putLong(date)
                .array();
    }

    /** Whether the store is new. */
    public boolean isFirst() {
        return equals(NONE);
    }

    public StoreState at(long elapsed, long machine) {
        return new StoreState(Math.max(time, elapsed), fence, settled, gone, machine);
    }

    /**
     * By the machine's clock, so that fences rise even where the last ones were lost: in async mode, or after restoring
     * a backup.
     */
    public StoreState granting() {
        return new StoreState(time, Math.max(date, fence + 1), settled, gone, date);
    }

    public StoreState counting(int moreSettled, int moreGone) {
        return new StoreState(time, fence, settled + moreSettled, gone + moreGone, date);
    }
}
