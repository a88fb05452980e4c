// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.store;

import io.semel.redis.internal.client.ScanPage;
import io.semel.redis.internal.client.ScriptClient;
import io.semel.redis.internal.script.RowHead;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import io.semel.redis.internal.script.SlotNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Samples a bounded number of names: all of them if there are few, otherwise some, continuing where the last sample
 * ended.
 */
public final class SlotSample {

    private static final int MOST = 2_000;
    private static final int AT_ONCE = 1_000;

    private final ScriptClient client;
    private final SlotNames names;
    private volatile @Nullable String from;

    public SlotSample(ScriptClient client, SlotNames names) {
        this.client = client;
        this.names = names;
    }

    /**
     * Passes on the slots of the sample, without their results.
     *
     * @return the approximate number of slots for each slot in the sample
     */
    public double take(BiConsumer<RowHead, Long> action) {
        long size = client.commands().size();
        boolean all = size <= SlotPages.SMALL;
        Map<ByteBuffer, byte[]> seen = new LinkedHashMap<>();
        String at = all ? null : from;
        do {
            ScanPage slice = client.commands().scan(null, at, AT_ONCE);
            slice.names().forEach(name -> seen.put(ByteBuffer.wrap(name), name));
            at = slice.next();
        } while (at != null && (all ? seen.size() < 2 * SlotPages.SMALL : seen.size() < MOST));
        from = at;
        heads(seen.values(), action);
        return all || seen.isEmpty() ? 1 : Math.max(1, (double) size / seen.size());
    }

    private void heads(Collection<byte[]> seen, BiConsumer<RowHead, Long> action) {
        List<ScriptRequest> requests = new ArrayList<>();
        for (byte[] name : seen) {
            if (names.isSlot(name)) {
                requests.add(ScriptRequest.head(name));
            }
        }
        for (ScriptReply reply : client.sendAll(requests)) {
            RowHead.of(reply).ifPresent(head -> action.accept(head, reply.now()));
        }
    }
}
