// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.redis.internal.client.ScriptClient;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import io.semel.redis.internal.script.SlotNames;
import io.semel.redis.internal.store.SlotPages;
import io.semel.redis.internal.store.SlotSample;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The common part of the stores in Redis; it names no client class, so that none has to be on the class path. */
abstract class ScriptedStore implements Store, Inspectable, AutoCloseable {

    /** The approximate memory of a key in Redis beside its value. */
    private static final int ENTRY_BYTES = 130;

    private final ScriptClient client;
    private final SlotNames names;
    private final SlotSample sample;
    private final SlotPages paging;

    ScriptedStore(ScriptClient client, RedisOptions options) {
        this.client = client;
        this.names = new SlotNames(options.prefix());
        this.sample = new SlotSample(client, names);
        this.paging = new SlotPages(client, names, sample);
    }

    /** The ways in which these servers may lose acknowledged writes, as found when the store was opened. */
    public List<String> caveats() {
        return client.caveats();
    }

    @Override
    public Level level() {
        return client.level();
    }

    @Override
    public Instant now() {
        return client.commands().time();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        return client.send(ScriptRequest.claim(names.of(call.key()), call, holder, lease))
                .claim(call.key());
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return client.send(ScriptRequest.settle(names.of(key), key, holder, fence, settlement))
                .applied("settle " + key);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        ScriptReply reply = client.send(ScriptRequest.look(names.of(key)));
        return reply.row("look up " + key).map(row -> row.claim(reply.now()));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        return batch(
                claimings,
                each -> ScriptRequest.claim(names.of(each.call().key()), each.call(), each.holder(), each.lease()),
                (each, reply) -> reply.claim(each.call().key()));
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return batch(
                settlings,
                each -> ScriptRequest.settle(
                        names.of(each.key()), each.key(), each.holder(), each.fence(), each.settlement()),
                (each, reply) -> reply.applied("settle " + each.key()));
    }

    @Override
    public Optional<Slot> look(Key key) {
        ScriptReply reply = client.send(ScriptRequest.look(names.of(key)));
        return reply.row("look up " + key).map(row -> row.slot(reply.now()));
    }

    /**
     * Slots in flight and unknown slots are found on lists, the oldest first. All slots are in the order of age only in
     * a Redis with few names; in a larger one pages come in the order of Redis, may be empty before the last one, and
     * may show a slot twice.
     */
    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return paging.page(view, cursor, limit);
    }

    /** Held, lapsed and unknown slots are counted; if there are many names, the others are estimated from a sample. */
    @Override
    public Counts count() {
        long[] listed = new long[3];
        List<ScriptRequest> requests = IntStream.range(0, SlotNames.BUCKETS)
                .mapToObj(bucket -> ScriptRequest.count(names.bucket(bucket)))
                .toList();
        for (ScriptReply reply : client.sendAll(requests)) {
            ByteBuffer counts = ByteBuffer.wrap(reply.bytes("count slots"));
            for (int i = 0; i < listed.length; i++) {
                listed[i] += counts.getLong();
            }
        }
        Map<Slot.State, Long> slots = new EnumMap<>(Slot.State.class);
        long[] bytes = {0};
        double each = sample.take((head, now) -> {
            slots.merge(head.row().state(now), 1L, Long::sum);
            bytes[0] += head.bytes() + ENTRY_BYTES;
        });
        slots.replaceAll((state, found) -> Math.round(found * each));
        slots.put(Slot.State.HELD, listed[0]);
        slots.put(Slot.State.LAPSED, listed[1]);
        slots.put(Slot.State.UNKNOWN, listed[2]);
        return Counts.of(slots, Math.round(bytes[0] * each));
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        Inspectable.checkVerdict(verdict);
        return client.send(ScriptRequest.amend(names.of(key), seen, verdict)).applied("amend " + key);
    }

    @Override
    public void close() {
        client.close();
    }

    private <Q, A> List<A> batch(List<Q> requests, Function<Q, ScriptRequest> toRequest, Answering<Q, A> answer) {
        List<ScriptReply> replies =
                client.sendAll(requests.stream().map(toRequest).toList());
        List<A> answers = new ArrayList<>(requests.size());
        for (int i = 0; i < replies.size(); i++) {
            answers.add(answer.of(requests.get(i), replies.get(i)));
        }
        return answers;
    }

    private interface Answering<Q, A> {

        A of(Q request, ScriptReply reply);
    }
}
