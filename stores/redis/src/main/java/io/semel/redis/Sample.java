// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Looks at a bounded number of names: at all of them where there are few, else at some, going on where the last look ended. */
final class Sample {

    private static final int MOST = 2_000;
    private static final int AT_ONCE = 1_000;

    private final Line line;
    private final SlotNames names;
    private volatile @Nullable String from;

    Sample(Line line, SlotNames names) {
        this.line = line;
        this.names = names;
    }

    /**
     * Hands over the slots that it finds, without their results.
     *
     * @return how many slots there are for each that was found, about
     */
    double take(BiConsumer<Head, Long> action) {
        long size = line.commands().size();
        boolean all = size <= Paging.SMALL;
        Map<ByteBuffer, byte[]> seen = new LinkedHashMap<>();
        String at = all ? null : from;
        do {
            Slice slice = line.commands().scan(null, at, AT_ONCE);
            slice.names().forEach(name -> seen.put(ByteBuffer.wrap(name), name));
            at = slice.next();
        } while (at != null && (all ? seen.size() < 2 * Paging.SMALL : seen.size() < MOST));
        from = at;
        heads(seen.values(), action);
        return all || seen.isEmpty() ? 1 : Math.max(1, (double) size / seen.size());
    }

    private void heads(Collection<byte[]> seen, BiConsumer<Head, Long> action) {
        List<Ask> asks = new ArrayList<>();
        for (byte[] name : seen) {
            if (names.isSlot(name)) {
                asks.add(Ask.head(name));
            }
        }
        for (Reply reply : line.askAll(asks)) {
            Head.of(reply).ifPresent(head -> action.accept(head, reply.now()));
        }
    }
}
