// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Key;
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
 * Pages of slots. What is in flight or unknown is found on the lists of the buckets, the oldest first. Everything is put in order
 * only where there is little of it; else it is walked through in the order of Redis.
 */
final class Paging {

    /** A store with up to so many names, of whomever, is looked at as a whole. */
    static final int SMALL = 5_000;

    private static final String WALK = "w";
    private static final int FEWEST = 10;
    private static final int MOST_STEPS = 100;

    private final Line line;
    private final SlotNames names;
    private final Sample sample;

    Paging(Line line, SlotNames names, Sample sample) {
        this.line = line;
        this.names = names;
        this.sample = sample;
    }

    Page page(View view, @Nullable String cursor, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("A page has at least one slot, not " + limit + ".");
        }
        if (view != View.OLDEST) {
            return listed(view == View.UNKNOWN ? Listed.UNKNOWN : Listed.HELD, cursor, limit);
        }
        boolean walked = cursor == null ? line.commands().size() > SMALL : cursor.startsWith(WALK);
        return walked ? walk(cursor == null ? null : cursor.substring(WALK.length()), limit) : sorted(cursor, limit);
    }

    private Page listed(Listed list, @Nullable String cursor, int limit) {
        List<Place> places = after(cursor, members(list));
        List<Slot> slots = new ArrayList<>();
        int at = 0;
        while (slots.size() < limit && at < places.size()) {
            List<Place> some = places.subList(at, Math.min(places.size(), at + limit - slots.size()));
            slots.addAll(look(list, some));
            at += some.size();
        }
        return new Page(slots, at < places.size() ? places.get(at - 1).cursor() : null);
    }

    private NavigableSet<Place> members(Listed list) {
        NavigableSet<Place> places = new TreeSet<>();
        List<Ask> asks = IntStream.range(0, SlotNames.BUCKETS)
                .mapToObj(bucket -> Ask.members(names.bucket(bucket), list))
                .toList();
        for (Reply reply : line.askAll(asks)) {
            if (reply.said() != null) {
                ByteBuffer members = ByteBuffer.wrap(reply.bytes("list slots"));
                while (members.hasRemaining()) {
                    long since = members.getLong();
                    byte[] hash = new byte[Key.HASH_BYTES];
                    members.get(hash);
                    places.add(Place.of(since, hash));
                }
            }
        }
        return places;
    }

    private static List<Place> after(@Nullable String cursor, NavigableSet<Place> places) {
        return List.copyOf(cursor == null ? places : places.tailSet(Place.parse(cursor), false));
    }

    /** What is listed and not there, because it was evicted or deleted, is taken off the list. */
    private List<Slot> look(Listed list, List<Place> places) {
        List<byte[]> all =
                places.stream().map(place -> names.of(place.hashBytes())).toList();
        List<Slot> slots = new ArrayList<>();
        List<Ask> stale = new ArrayList<>();
        List<Optional<Slot>> found = slots(all);
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).filter(slot -> isOn(list, slot)).isPresent()) {
                slots.add(found.get(i).get());
            } else {
                stale.add(Ask.strike(all.get(i), list, places.get(i).since()));
            }
        }
        line.askAll(stale).forEach(reply -> reply.number("tidy a list"));
        return slots;
    }

    private static boolean isOn(Listed list, Slot slot) {
        return switch (slot.state()) {
            case HELD, LAPSED -> list == Listed.HELD;
            case UNKNOWN -> list == Listed.UNKNOWN;
            case SETTLED, GONE -> false;
        };
    }

    private List<Optional<Slot>> slots(List<byte[]> all) {
        return line.askAll(all.stream().map(Ask::look).toList()).stream()
                .map(reply -> reply.row("list slots").map(row -> row.slot(reply.now())))
                .toList();
    }

    /** In the order of age, found by looking at all of them. */
    private Page sorted(@Nullable String cursor, int limit) {
        NavigableSet<Place> places = new TreeSet<>();
        sample.take((head, now) ->
                places.add(Place.of(head.row().since(), head.row().key().hash())));
        List<Place> after = after(cursor, places);
        List<Place> shown = after.subList(0, Math.min(limit, after.size()));
        List<Slot> slots = slots(
                        shown.stream().map(place -> names.of(place.hashBytes())).toList())
                .stream()
                .flatMap(Optional::stream)
                .toList();
        return new Page(slots, after.size() > limit ? after.get(limit - 1).cursor() : null);
    }

    /** Some at a time, as Redis has them; a slot that is there all the while is shown at least once. */
    private Page walk(@Nullable String cursor, int limit) {
        String at = cursor;
        for (int step = 0; step < MOST_STEPS; step++) {
            Slice slice = line.commands().scan(names.pattern(), at, Math.max(FEWEST, limit / 2));
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
