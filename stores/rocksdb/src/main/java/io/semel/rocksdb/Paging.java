// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.store.Inspectable;
import io.semel.store.Inspectable.Page;
import io.semel.store.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** One page of slots, the oldest first, gathered from the heads of the lists that a view needs. */
final class Paging implements Moment.Walk {

    private static final Comparator<Index> OLDEST_FIRST =
            Comparator.comparingLong(Index::since).thenComparing(Index::id, Id::compare);

    private final Moment moment;
    private final long now;
    private final int most;
    private final PriorityQueue<Index> oldest = new PriorityQueue<>(OLDEST_FIRST.reversed());
    private Place after;

    private Paging(Moment moment, long now, int most, Place after) {
        this.moment = moment;
        this.now = now;
        this.most = most;
        this.after = after;
    }

    static Page of(Moment moment, long now, Inspectable.View what, @Nullable String cursor, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("A page has at least one slot, not " + limit + ".");
        }
        Place start = cursor == null ? Place.START : Place.parse(cursor);
        return new Paging(moment, now, limit + 1, start).page(lists(what), limit);
    }

    private static byte[] lists(Inspectable.View what) {
        return switch (what) {
            case IN_FLIGHT -> new byte[] {Index.HELD};
            case UNKNOWN -> new byte[] {Index.UNKNOWN};
            case OLDEST -> new byte[] {Index.HELD, Index.SETTLED, Index.GONE};
        };
    }

    private Page page(byte[] lists, int limit) {
        List<Index> shown = new ArrayList<>();
        List<Slot> slots = new ArrayList<>();
        for (List<Index> some = gather(lists); !some.isEmpty() && slots.size() < most; some = gather(lists)) {
            for (Index entry : some) {
                Row row = moment.row(entry);
                if (row != null && isShown(entry, row)) {
                    shown.add(entry);
                    slots.add(row.slot(now));
                }
            }
        }
        boolean more = slots.size() > limit;
        return new Page(
                List.copyOf(more ? slots.subList(0, limit) : slots),
                more ? Place.of(shown.get(limit - 1)).cursor() : null);
    }

    private boolean isShown(Index entry, Row row) {
        return entry.list() == Index.UNKNOWN ? row.until() > now : !row.isFree(now);
    }

    /** The next entries after the last ones. */
    private List<Index> gather(byte[] lists) {
        oldest.clear();
        for (byte list : lists) {
            moment.walk(list, this);
        }
        List<Index> sorted = new ArrayList<>(oldest);
        sorted.sort(OLDEST_FIRST);
        if (!sorted.isEmpty()) {
            after = Place.of(sorted.get(sorted.size() - 1));
        }
        return sorted;
    }

    @Override
    public byte[] start(Index anyOfTerm) {
        long forgotten = anyOfTerm.forgottenSince(now);
        return forgotten > after.since()
                ? anyOfTerm.at(forgotten + 1, Id.LOWEST).bytes()
                : anyOfTerm.at(after.since(), after.id()).after();
    }

    /** Each term is in order, so after the first entry that is too young no other is old enough. */
    @Override
    public boolean test(Index entry) {
        oldest.add(entry);
        return oldest.size() <= most || !oldest.remove().equals(entry);
    }

    /** A place in the order of age. */
    private record Place(long since, Id id) {

        static final Place START = new Place(0, Id.LOWEST);

        static Place of(Index entry) {
            return new Place(entry.since(), entry.id());
        }

        static Place parse(String cursor) {
            String[] parts = cursor.split("\\.", -1);
            try {
                return new Place(
                        Long.parseLong(parts[0]),
                        new Id(Long.parseUnsignedLong(parts[1], 16), Long.parseUnsignedLong(parts[2], 16)));
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("This is not the cursor of an earlier page.", e);
            }
        }

        String cursor() {
            return since + "." + Long.toHexString(id.high()) + "." + Long.toHexString(id.low());
        }
    }
}
