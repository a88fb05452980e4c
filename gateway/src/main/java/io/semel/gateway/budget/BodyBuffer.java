// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.budget;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.semel.gateway.http.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A body in memory, charged to the budget, in blocks however small its parts are. */
public final class BodyBuffer {

    private static final int FIRST_BLOCK = 256;
    private static final int LARGEST_BLOCK = 64 << 10;
    /** Of an array and its place in the list. */
    private static final int OVERHEAD = 32;

    private final Charge charge;
    private final List<byte[]> blocks = new ArrayList<>(1);
    private int free;
    private long length;

    public BodyBuffer(Charge charge) {
        this.charge = charge;
    }

    public Charge charge() {
        return charge;
    }

    /** The reason why there is no room, in which case nothing was added. */
    @Nullable
    public Refusal add(byte[] part) {
        int fits = Math.min(free, part.length);
        int rest = part.length - fits;
        if (rest > 0) {
            int size = Math.max(rest, usual(length + fits));
            Refusal refusal = charge.take(size + OVERHEAD);
            if (refusal != null) {
                return refusal;
            }
            fill(part, fits);
            begin(part, fits, size);
        } else {
            fill(part, fits);
        }
        return null;
    }

    /** A body that comes in one part takes no more than that; others take blocks that grow with them. */
    private static int usual(long before) {
        return before == 0 ? 0 : (int) Math.min(Math.max(before, FIRST_BLOCK), LARGEST_BLOCK);
    }

    private void fill(byte[] part, int fits) {
        if (fits > 0) {
            byte[] last = blocks.get(blocks.size() - 1);
            System.arraycopy(part, 0, last, last.length - free, fits);
            free -= fits;
            length += fits;
        }
    }

    private void begin(byte[] part, int from, int size) {
        int rest = part.length - from;
        byte[] block = rest == size && from == 0 ? part : new byte[size];
        System.arraycopy(part, from, block, 0, rest);
        blocks.add(block);
        free = size - rest;
        length += rest;
    }

    public long length() {
        return length;
    }

    /** Passes the filled part of each block, in order. */
    public void forEach(Part action) {
        for (int i = 0; i < blocks.size(); i++) {
            action.take(blocks.get(i), filled(i));
        }
    }

    private int filled(int block) {
        int size = blocks.get(block).length;
        return block == blocks.size() - 1 ? size - free : size;
    }

    public ByteBuf buffer() {
        ByteBuf[] all = new ByteBuf[blocks.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = Unpooled.wrappedBuffer(blocks.get(i), 0, filled(i));
        }
        return Unpooled.wrappedBuffer(all.length + 1, all);
    }

    public byte[] bytes() {
        if (blocks.size() == 1 && free == 0) {
            return blocks.get(0);
        }
        byte[] all = new byte[(int) length];
        int at = 0;
        for (int i = 0; i < blocks.size(); i++) {
            System.arraycopy(blocks.get(i), 0, all, at, filled(i));
            at += filled(i);
        }
        return all;
    }

    /** All of it, which from now on takes no more room than that. */
    public byte[] joined() {
        byte[] all = bytes();
        blocks.clear();
        blocks.add(all);
        free = 0;
        charge.keep(all.length + OVERHEAD);
        return all;
    }

    /** Gives the room back; buffers and arrays that were taken before stay valid. */
    public void clear() {
        blocks.clear();
        free = 0;
        length = 0;
        charge.clear();
    }

    public static byte[] copy(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }

    /** Takes one block. */
    public interface Part {

        void take(byte[] bytes, int filled);
    }
}
