// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** A body that is held in memory, as far as the budget of all requests goes. */
final class Collected {

    private final Budget budget;
    private final List<byte[]> parts = new ArrayList<>(1);
    private long length;

    Collected(Budget budget) {
        this.budget = budget;
    }

    /** False if there is no room for it; then nothing was added. */
    boolean add(byte[] part) {
        if (part.length == 0) {
            return true;
        }
        if (!budget.take(part.length)) {
            return false;
        }
        parts.add(part);
        length += part.length;
        return true;
    }

    long length() {
        return length;
    }

    List<byte[]> parts() {
        return parts;
    }

    ByteBuf buffer() {
        return Unpooled.wrappedBuffer(parts.toArray(byte[][]::new));
    }

    byte[] bytes() {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        byte[] all = new byte[(int) length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** Gives the room back; what was taken out before stays good. */
    void clear() {
        parts.clear();
        budget.give(length);
        length = 0;
    }

    static byte[] copy(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }
}
