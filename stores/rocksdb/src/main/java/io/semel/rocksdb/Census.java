// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** How many sessions are stored that are not known to have ended, how many requests they have, and how many have expired. */
record Census(long live, long requests, long expired) {

    static final byte[] KEY = "sessions".getBytes(StandardCharsets.UTF_8);
    static final Census NONE = new Census(0, 0, 0);

    private static final byte FORMAT = 2;
    private static final int BYTES = 1 + 3 * Long.BYTES;

    static Census read(byte @Nullable [] bytes) {
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
        return new Census(buffer.getLong(), buffer.getLong(), buffer.getLong());
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .put(FORMAT)
                .putLong(live)
                .putLong(requests)
                .putLong(expired)
                .array();
    }

    Census plus(long moreLive, long moreRequests) {
        return new Census(live + moreLive, requests + moreRequests, expired);
    }

    Census plusExpired(long more) {
        return new Census(live, requests, expired + more);
    }
}
