// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
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

/** What is the same for stores in Redis, whatever client they reach it with; it names none, so that none has to be there. */
abstract class ScriptedStore implements Store, Inspectable, AutoCloseable {

    /** What Redis takes for a key beside its value, about. */
    private static final int ENTRY_BYTES = 130;

    private final Line line;
    private final SlotNames names;
    private final Sample sample;
    private final Paging paging;

    ScriptedStore(Line line, RedisOptions options) {
        this.line = line;
        this.names = new SlotNames(options.prefix());
        this.sample = new Sample(line, names);
        this.paging = new Paging(line, names, sample);
    }

    /** The ways in which these servers may forget what they acknowledged, as found when the store was opened. */
    public List<String> caveats() {
        return line.caveats();
    }

    @Override
    public Level level() {
        return line.level();
    }

    @Override
    public Instant now() {
        return line.commands().time();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        return line.ask(Ask.claim(names.of(call.key()), call, holder, lease)).claim(call.key());
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return line.ask(Ask.settle(names.of(key), key, holder, fence, settlement))
                .applied("settle " + key);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        Reply reply = line.ask(Ask.look(names.of(key)));
        return reply.row("peek at " + key).map(row -> row.claim(reply.now()));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        return together(
                claimings,
                each -> Ask.claim(names.of(each.call().key()), each.call(), each.holder(), each.lease()),
                (each, reply) -> reply.claim(each.call().key()));
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return together(
                settlings,
                each -> Ask.settle(names.of(each.key()), each.key(), each.holder(), each.fence(), each.settlement()),
                (each, reply) -> reply.applied("settle " + each.key()));
    }

    @Override
    public Optional<Slot> look(Key key) {
        Reply reply = line.ask(Ask.look(names.of(key)));
        return reply.row("look at " + key).map(row -> row.slot(reply.now()));
    }

    /**
     * What is in flight or unknown is found on lists, the oldest first. Everything is in the order of age only in a Redis with few
     * names; else pages come in the order of Redis, may be empty before the last one, and may show a slot twice.
     */
    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return paging.page(view, cursor, limit);
    }

    /** What is held, lapsed and unknown is counted; the rest is estimated from a sample where there are many names. */
    @Override
    public Counts count() {
        long[] listed = new long[3];
        List<Ask> asks = IntStream.range(0, SlotNames.BUCKETS)
                .mapToObj(bucket -> Ask.count(names.bucket(bucket)))
                .toList();
        for (Reply reply : line.askAll(asks)) {
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
        if (verdict instanceof Settlement.Renew) {
            throw new IllegalArgumentException("A settled slot has no lease to renew; amend with Complete or Release.");
        }
        return line.ask(Ask.amend(names.of(key), seen, verdict)).applied("amend " + key);
    }

    @Override
    public void close() {
        line.close();
    }

    private <Q, A> List<A> together(List<Q> questions, Function<Q, Ask> ask, Answering<Q, A> answer) {
        List<Reply> replies = line.askAll(questions.stream().map(ask).toList());
        List<A> answers = new ArrayList<>(questions.size());
        for (int i = 0; i < replies.size(); i++) {
            answers.add(answer.of(questions.get(i), replies.get(i)));
        }
        return answers;
    }

    private interface Answering<Q, A> {

        A of(Q question, Reply reply);
    }
}
