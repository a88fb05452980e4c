// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Inspectable.Page;
import io.semel.Inspectable.View;
import io.semel.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The oldest slots of a view, after a cursor: found by looking at all of them. */
final class Paging {

    private static final Comparator<Place> OLDEST_FIRST =
            Comparator.comparingLong(Place::since).thenComparing(Place::hash);

    private final View view;
    private final @Nullable Place after;
    private final int limit;
    /** A set, because a scan may come across a slot twice. */
    private final TreeSet<Place> oldest = new TreeSet<>(OLDEST_FIRST);

    Paging(View view, @Nullable String cursor, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("A page has at least one slot, not " + limit + ".");
        }
        this.view = view;
        this.after = cursor == null ? null : Place.parse(cursor);
        this.limit = limit;
    }

    void consider(Row row, long now) {
        if (!isInView(row.state(now))) {
            return;
        }
        Place place = new Place(row.since(), HexFormat.of().formatHex(row.key().hash()), row);
        if (after != null && OLDEST_FIRST.compare(place, after) <= 0) {
            return;
        }
        oldest.add(place);
        if (oldest.size() > limit + 1) {
            oldest.pollLast();
        }
    }

    private boolean isInView(Slot.State state) {
        return switch (view) {
            case IN_FLIGHT -> state == Slot.State.HELD || state == Slot.State.LAPSED;
            case UNKNOWN -> state == Slot.State.UNKNOWN;
            case OLDEST -> true;
        };
    }

    /** The rows to show, without their results. */
    List<Row> rows() {
        return oldest.stream().limit(limit).map(Place::known).toList();
    }

    Page page(List<Slot> slots) {
        boolean more = oldest.size() > limit;
        return new Page(slots, more ? new ArrayList<>(oldest).get(limit - 1).cursor() : null);
    }

    private record Place(long since, String hash, @Nullable Row row) {

        static Place parse(String cursor) {
            int dot = cursor.indexOf('.');
            try {
                return new Place(Long.parseLong(cursor.substring(0, dot)), cursor.substring(dot + 1), null);
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("This is not the cursor of an earlier page.", e);
            }
        }

        Row known() {
            return java.util.Objects.requireNonNull(row);
        }

        String cursor() {
            return since + "." + hash;
        }
    }
}
