// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.Inspectable.Page;
import io.semel.Inspectable.View;
import io.semel.Slot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The oldest cells of a view, after a cursor: what one page shows. */
final class Slots {

    private static final Comparator<Entry> OLDEST_FIRST =
            Comparator.comparingLong(Entry::since).thenComparingLong(Entry::hash);

    private final View view;
    private final @Nullable Entry after;
    private final int limit;
    private final Hash hash;
    private final long now;
    /** The youngest on top, so that it is the one to go. */
    private final PriorityQueue<Entry> oldest = new PriorityQueue<>(OLDEST_FIRST.reversed());

    Slots(View view, @Nullable String cursor, int limit, Hash hash, long now) {
        if (limit < 1) {
            throw new IllegalArgumentException("A page has at least one slot, not " + limit + ".");
        }
        this.view = view;
        this.after = cursor == null ? null : parse(cursor);
        this.limit = limit;
        this.hash = hash;
        this.now = now;
    }

    void consider(byte[] cell) {
        if (!isInView(cell)) {
            return;
        }
        Entry entry = new Entry(Cell.since(cell), new Address(Cell.key(cell), hash).hash, cell);
        if (after != null && OLDEST_FIRST.compare(entry, after) <= 0) {
            return;
        }
        oldest.add(entry.copy());
        if (oldest.size() > limit + 1) {
            oldest.remove();
        }
    }

    Page page() {
        List<Entry> entries = new ArrayList<>(oldest);
        entries.sort(OLDEST_FIRST);
        boolean more = entries.size() > limit;
        List<Entry> shown = more ? entries.subList(0, limit) : entries;
        String next = more ? shown.get(limit - 1).cursor() : null;
        return new Page(shown.stream().map(entry -> of(entry.cell, now)).toList(), next);
    }

    static Slot of(byte[] cell, long now) {
        Slot.State state = state(cell, now);
        boolean held = Cell.state(cell) == Cell.HELD;
        return new Slot(
                Cell.key(cell),
                Cell.print(cell),
                state,
                Cell.fence(cell),
                Cell.attempts(cell),
                held ? Cell.holder(cell) : null,
                Duration.ofNanos(now - Cell.since(cell)),
                Stripe.left(state == Slot.State.GONE ? Cell.forget(cell) : Cell.until(cell), now),
                held || state == Slot.State.GONE ? null : Cell.tail(cell));
    }

    static Slot.State state(byte[] cell, long now) {
        boolean over = Cell.until(cell) <= now;
        if (Cell.state(cell) == Cell.HELD) {
            return over ? Slot.State.LAPSED : Slot.State.HELD;
        }
        return Cell.state(cell) == Cell.GONE || over ? Slot.State.GONE : Slot.State.ofResult(Cell.tail(cell));
    }

    private boolean isInView(byte[] cell) {
        return switch (view) {
            case IN_FLIGHT -> Cell.state(cell) == Cell.HELD;
            case UNKNOWN -> state(cell, now) == Slot.State.UNKNOWN;
            case OLDEST -> true;
        };
    }

    private static Entry parse(String cursor) {
        String[] parts = cursor.split("\\.", -1);
        try {
            return new Entry(Long.parseLong(parts[0]), Long.parseLong(parts[1]), new byte[0]);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("This is not the cursor of an earlier page.", e);
        }
    }

    private record Entry(long since, long hash, byte[] cell) {

        Entry copy() {
            return new Entry(since, hash, cell.clone());
        }

        String cursor() {
            return since + "." + hash;
        }
    }
}
