// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** A row without its result, and how many bytes it takes with it. */
record Head(long bytes, Row row) {

    /** Empty where nothing is remembered of a key. */
    static Optional<Head> of(Reply reply) {
        if (reply.said() == null) {
            return Optional.empty();
        }
        byte[] said = reply.bytes("list slots");
        byte[] row = Arrays.copyOfRange(said, Long.BYTES, said.length);
        return Row.isFree(row, reply.now())
                ? Optional.empty()
                : Optional.of(new Head(ByteBuffer.wrap(said).getLong(), Row.read(row)));
    }
}
