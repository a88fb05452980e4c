// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import io.semel.Fingerprint;
import io.semel.StoreException;
import io.semel.session.RequestState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The row of a session's request, in the format of {@code docs/formats/rocksdb.md}. */
public final class RequestRow {

    private static final byte FORMAT = 1;
    private static final int RUNNING = 0;
    private static final int DONE = 1;
    private static final int ABANDONED = 2;
    private static final int TAIL = 2 + Long.BYTES + Fingerprint.BYTES + Long.BYTES;

    public static RequestState read(byte[] bytes) {
        if (bytes.length < TAIL || bytes[0] != FORMAT || bytes[1] < RUNNING || bytes[1] > (DONE | ABANDONED)) {
            throw new StoreException(
                    "A stored request of " + bytes.length + " bytes is not in request format " + FORMAT
                            + "; it was written by a newer version of Semel, or is damaged.",
                    null);
        }
        ByteBuffer row = ByteBuffer.wrap(bytes, 2, TAIL - 2);
        long fence = row.getLong();
        Fingerprint print = new Fingerprint(row.getLong(), row.getLong());
        boolean done = (bytes[1] & DONE) != 0;
        return new RequestState(
                print,
                fence,
                (bytes[1] & ABANDONED) != 0,
                done ? null : new String(bytes, TAIL, bytes.length - TAIL, StandardCharsets.US_ASCII),
                row.getLong(),
                done ? Arrays.copyOfRange(bytes, TAIL, bytes.length) : null);
    }

    public static byte[] bytes(RequestState request) {
        String holder = request.holder();
        byte[] result = request.result();
        byte[] tail = holder == null ? result : holder.getBytes(StandardCharsets.US_ASCII);
        if (tail == null) {
            throw new IllegalStateException("A request has a holder or a result.");
        }
        int flags = (holder == null ? DONE : RUNNING) | (request.abandoned() ? ABANDONED : 0);
        ByteBuffer row = ByteBuffer.allocate(TAIL + tail.length).put(FORMAT).put((byte) flags);
        row.putLong(request.fence());
        row.putLong(request.print().high()).putLong(request.print().low());
        return row.putLong(request.until()).put(tail).array();
    }

    private RequestRow() {}
}
