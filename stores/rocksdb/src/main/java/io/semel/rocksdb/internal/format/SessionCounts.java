// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import io.semel.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The number of stored sessions not known to have ended, of their requests, and of expired sessions. */
public record SessionCounts(long live, long requests, long expired) {

    public static final byte[] KEY = "sessions".getBytes(StandardCharsets.UTF_8);
    static final SessionCounts NONE = new SessionCounts(0, 0, 0);

    private static final byte FORMAT = 2;
    private static final int BYTES = 1 + 3 * Long.BYTES;

    public static SessionCounts read(byte @Nullable [] bytes) {
        if (bytes == null) {
            return NONE;
        }
        if (bytes.length != BYTES || bytes[0] != FORMAT) {
            throw new StoreException(
                    "The record with the number of sessions is not in format " + FORMAT
                            + "; use the version of Semel that wrote it, or restore the directory from a backup.",
                    null);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, BYTES - 1);
        return new SessionCounts(buffer.getLong(), buffer.getLong(), buffer.getLong());
    }

    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .put(FORMAT)
                .putLong(live)
                .putLong(requests)
                .putLong(expired)
                .array();
    }

    public SessionCounts plus(long moreLive, long moreRequests) {
        return new SessionCounts(live + moreLive, requests + moreRequests, expired);
    }

    public SessionCounts plusExpired(long more) {
        return new SessionCounts(live, requests, expired + more);
    }
}
