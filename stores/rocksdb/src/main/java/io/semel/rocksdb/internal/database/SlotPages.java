// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import io.semel.rocksdb.internal.format.IndexKey;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SlotRow;
import io.semel.store.Inspectable;
import io.semel.store.Inspectable.Page;
import io.semel.store.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** One page of slots, the oldest first, merged from the lists that a view needs. */
public final class SlotPages implements StoreSnapshot.Walk {

    private static final Comparator<IndexKey> OLDEST_FIRST =
            Comparator.comparingLong(IndexKey::since).thenComparing(IndexKey::id, RowId::compare);

    private final StoreSnapshot snapshot;
    private final long now;
    private final int most;
    private final PriorityQueue<IndexKey> oldest = new PriorityQueue<>(OLDEST_FIRST.reversed());
    private Position after;

    private SlotPages(StoreSnapshot snapshot, long now, int most, Position after) {
        this.snapshot = snapshot;
        this.now = now;
        this.most = most;
        this.after = after;
    }

    public static Page of(StoreSnapshot snapshot, long now, Inspectable.View what, @Nullable String cursor, int limit) {
        Page.checkLimit(limit);
        Position start = cursor == null ? Position.START : Page.read(cursor, Position::parse);
        return new SlotPages(snapshot, now, limit + 1, start).page(lists(what), limit);
    }

    private static byte[] lists(Inspectable.View what) {
        return switch (what) {
            case IN_FLIGHT -> new byte[] {IndexKey.HELD};
            case UNKNOWN -> new byte[] {IndexKey.UNKNOWN};
            case OLDEST -> new byte[] {IndexKey.HELD, IndexKey.SETTLED, IndexKey.GONE};
        };
    }

    private Page page(byte[] lists, int limit) {
        List<IndexKey> shown = new ArrayList<>();
        List<Slot> slots = new ArrayList<>();
        for (List<IndexKey> some = gather(lists); !some.isEmpty() && slots.size() < most; some = gather(lists)) {
            for (IndexKey entry : some) {
                SlotRow row = snapshot.row(entry);
                if (row != null && isShown(entry, row)) {
                    shown.add(entry);
                    slots.add(row.slot(now));
                }
            }
        }
        boolean more = slots.size() > limit;
        return new Page(
                List.copyOf(more ? slots.subList(0, limit) : slots),
                more ? Position.of(shown.get(limit - 1)).cursor() : null);
    }

    private boolean isShown(IndexKey entry, SlotRow row) {
        return entry.list() == IndexKey.UNKNOWN ? row.until() > now : !row.isFree(now);
    }

    /** The entries that follow the last ones. */
    private List<IndexKey> gather(byte[] lists) {
        oldest.clear();
        for (byte list : lists) {
            snapshot.walk(list, this);
        }
        List<IndexKey> sorted = new ArrayList<>(oldest);
        sorted.sort(OLDEST_FIRST);
        if (!sorted.isEmpty()) {
            after = Position.of(sorted.get(sorted.size() - 1));
        }
        return sorted;
    }

    @Override
    public byte[] start(IndexKey anyOfTerm) {
        long forgotten = anyOfTerm.forgottenSince(now);
        return forgotten > after.since()
                ? anyOfTerm.at(forgotten + 1, RowId.LOWEST).bytes()
                : anyOfTerm.at(after.since(), after.id()).after();
    }

    /** Each term is sorted, so after the first entry that is too young the others are too young as well. */
    @Override
    public boolean test(IndexKey entry) {
        oldest.add(entry);
        return oldest.size() <= most || !oldest.remove().equals(entry);
    }

    /** A position in the order of age. */
    private record Position(long since, RowId id) {

        static final Position START = new Position(0, RowId.LOWEST);

        static Position of(IndexKey entry) {
            return new Position(entry.since(), entry.id());
        }

        static Position parse(String cursor) {
            String[] parts = cursor.split("\\.", -1);
            return new Position(
                    Long.parseLong(parts[0]),
                    new RowId(Long.parseUnsignedLong(parts[1], 16), Long.parseUnsignedLong(parts[2], 16)));
        }

        String cursor() {
            return since + "." + Long.toHexString(id.high()) + "." + Long.toHexString(id.low());
        }
    }
}
