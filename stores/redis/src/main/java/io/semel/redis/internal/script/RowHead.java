// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** A row without its result, and its size with it. */
public record RowHead(long bytes, SlotRow row) {

    /** Empty if the key is not remembered. */
    public static Optional<RowHead> of(ScriptReply reply) {
        if (reply.value() == null) {
            return Optional.empty();
        }
        byte[] said = reply.bytes("list slots");
        byte[] row = Arrays.copyOfRange(said, Long.BYTES, said.length);
        return SlotRow.isFree(row, reply.now())
                ? Optional.empty()
                : Optional.of(new RowHead(ByteBuffer.wrap(said).getLong(), SlotRow.read(row)));
    }
}
