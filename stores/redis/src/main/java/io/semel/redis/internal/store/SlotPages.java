// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.store;

import io.semel.Key;
import io.semel.redis.internal.client.ScanPage;
import io.semel.redis.internal.client.ScriptClient;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import io.semel.redis.internal.script.SlotList;
import io.semel.redis.internal.script.SlotNames;
import io.semel.store.Inspectable.Page;
import io.semel.store.Inspectable.View;
import io.semel.store.Slot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pages of slots. Slots in flight and unknown ones are found on the lists of the buckets, the oldest first. All slots
 * are sorted only if there are few; otherwise they are scanned in the order of Redis.
 */
public final class SlotPages {

    /** A Redis with at most so many names, whoever owns them, is read as a whole. */
    static final int SMALL = 5_000;

    private static final String WALK = "w";
    private static final int FEWEST = 10;
    private static final int MOST_STEPS = 100;

    private final ScriptClient client;
    private final SlotNames names;
    private final SlotSample sample;

    public SlotPages(ScriptClient client, SlotNames names, SlotSample sample) {
        this.client = client;
        this.names = names;
        this.sample = sample;
    }

    public Page page(View view, @Nullable String cursor, int limit) {
        Page.checkLimit(limit);
        if (view != View.OLDEST) {
            return listed(view == View.UNKNOWN ? SlotList.UNKNOWN : SlotList.HELD, cursor, limit);
        }
        boolean walked = cursor == null ? client.commands().size() > SMALL : cursor.startsWith(WALK);
        return walked ? walk(cursor == null ? null : cursor.substring(WALK.length()), limit) : sorted(cursor, limit);
    }

    private Page listed(SlotList list, @Nullable String cursor, int limit) {
        List<AgePosition> places = after(cursor, members(list));
        List<Slot> slots = new ArrayList<>();
        int at = 0;
        while (slots.size() < limit && at < places.size()) {
            List<AgePosition> some = places.subList(at, Math.min(places.size(), at + limit - slots.size()));
            slots.addAll(look(list, some));
            at += some.size();
        }
        return new Page(slots, at < places.size() ? places.get(at - 1).cursor() : null);
    }

    private NavigableSet<AgePosition> members(SlotList list) {
        NavigableSet<AgePosition> places = new TreeSet<>();
        List<ScriptRequest> requests = IntStream.range(0, SlotNames.BUCKETS)
                .mapToObj(bucket -> ScriptRequest.members(names.bucket(bucket), list))
                .toList();
        for (ScriptReply reply : client.sendAll(requests)) {
            if (reply.value() != null) {
                ByteBuffer members = ByteBuffer.wrap(reply.bytes("list slots"));
                while (members.hasRemaining()) {
                    long since = members.getLong();
                    byte[] hash = new byte[Key.HASH_BYTES];
                    members.get(hash);
                    places.add(AgePosition.of(since, hash));
                }
            }
        }
        return places;
    }

    private static List<AgePosition> after(@Nullable String cursor, NavigableSet<AgePosition> places) {
        return List.copyOf(cursor == null ? places : places.tailSet(Page.read(cursor, AgePosition::parse), false));
    }

    /** Drops list entries whose slot was evicted or deleted. */
    private List<Slot> look(SlotList list, List<AgePosition> places) {
        List<byte[]> all =
                places.stream().map(place -> names.of(place.hashBytes())).toList();
        List<Slot> slots = new ArrayList<>();
        List<ScriptRequest> stale = new ArrayList<>();
        List<Optional<Slot>> found = slots(all);
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).filter(slot -> isOn(list, slot)).isPresent()) {
                slots.add(found.get(i).get());
            } else {
                stale.add(ScriptRequest.strike(all.get(i), list, places.get(i).since()));
            }
        }
        client.sendAll(stale).forEach(reply -> reply.number("tidy a list"));
        return slots;
    }

    private static boolean isOn(SlotList list, Slot slot) {
        return switch (slot.state()) {
            case HELD, LAPSED -> list == SlotList.HELD;
            case UNKNOWN -> list == SlotList.UNKNOWN;
            case SETTLED, GONE -> false;
        };
    }

    private List<Optional<Slot>> slots(List<byte[]> all) {
        return client.sendAll(all.stream().map(ScriptRequest::look).toList()).stream()
                .map(reply -> reply.row("list slots").map(row -> row.slot(reply.now())))
                .toList();
    }

    /** In the order of age, after reading all of them. */
    private Page sorted(@Nullable String cursor, int limit) {
        NavigableSet<AgePosition> places = new TreeSet<>();
        sample.take((head, now) ->
                places.add(AgePosition.of(head.row().since(), head.row().key().hash())));
        List<AgePosition> after = after(cursor, places);
        List<AgePosition> shown = after.subList(0, Math.min(limit, after.size()));
        List<Slot> slots = slots(
                        shown.stream().map(place -> names.of(place.hashBytes())).toList())
                .stream()
                .flatMap(Optional::stream)
                .toList();
        return new Page(slots, after.size() > limit ? after.get(limit - 1).cursor() : null);
    }

    /** In the order of Redis; a slot that exists throughout the scan is shown at least once. */
    private Page walk(@Nullable String cursor, int limit) {
        String at = cursor;
        for (int step = 0; step < MOST_STEPS; step++) {
            ScanPage slice = client.commands().scan(names.pattern(), at, Math.max(FEWEST, limit / 2));
            at = slice.next();
            List<Slot> slots = slots(slice.names()).stream()
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparing(Slot::age).reversed())
                    .toList();
            if (!slots.isEmpty() || at == null) {
                return new Page(slots, at == null ? null : WALK + at);
            }
        }
        return new Page(List.of(), WALK + at);
    }
}
