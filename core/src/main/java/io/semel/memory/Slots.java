// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.store.Inspectable.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The oldest entries after a cursor: what one page shows. No two have the same fence. */
final class Slots {

    private static final Comparator<Position> OLDEST_FIRST =
            Comparator.comparingLong(Position::since).thenComparingLong(Position::fence);

    private record Position(long since, long fence) {

        static Position of(Entry entry) {
            return new Position(entry.since, entry.fence);
        }

        static Position parse(String cursor) {
            String[] parts = cursor.split("\\.", -1);
            return new Position(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
        }

        @Override
        public String toString() {
            return since + "." + fence;
        }
    }

    static Page page(Stream<Entry> entries, @Nullable String cursor, int limit, long now) {
        Page.checkLimit(limit);
        List<Entry> oldest = oldest(entries, cursor == null ? null : Page.read(cursor, Position::parse), limit + 1L);
        boolean more = oldest.size() > limit;
        List<Entry> shown = more ? oldest.subList(0, limit) : oldest;
        String next = more ? Position.of(shown.get(limit - 1)).toString() : null;
        return new Page(shown.stream().map(entry -> entry.slot(now)).toList(), next);
    }

    private static List<Entry> oldest(Stream<Entry> entries, @Nullable Position after, long most) {
        Comparator<Entry> order = Comparator.comparing(Position::of, OLDEST_FIRST);
        // The youngest on top, so that it is the one to go.
        PriorityQueue<Entry> oldest = new PriorityQueue<>(order.reversed());
        entries.filter(entry -> after == null || OLDEST_FIRST.compare(Position.of(entry), after) > 0)
                .forEach(entry -> {
                    oldest.add(entry);
                    if (oldest.size() > most) {
                        oldest.remove();
                    }
                });
        List<Entry> sorted = new ArrayList<>(oldest);
        sorted.sort(order);
        return sorted;
    }

    private Slots() {}
}
