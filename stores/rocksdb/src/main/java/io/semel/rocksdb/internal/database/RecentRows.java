// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SlotRow;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Rows that were recently written or replayed, so that a settlement need not read its claim's row, nor a storm of
 * retries the same answer; and proof that an observed row is still current, because every change replaces the entry.
 * Ids that share a place only cost each other a read.
 */
public final class RecentRows {

    private static final int PLACES = 1 << 13;
    /** Larger rows are not kept, which bounds the total to eight megabytes. */
    private static final int LARGEST = 1 << 10;

    private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(PLACES);

    /** The latest entry at the place of this id, which may be about another id. */
    @Nullable
    Entry at(RowId id) {
        return entries.get(place(id));
    }

    /** Must be called before a write: discards earlier reads, and reads until the write is on disk. */
    public void changing(RowId id) {
        entries.set(place(id), new Entry(id, null, false, true));
    }

    /** Must be called after the write is on disk. */
    public void changed(RowId id, @Nullable SlotRow row) {
        boolean kept = row == null || isSmall(row);
        entries.set(place(id), new Entry(id, kept ? row : null, kept, false));
    }

    /** Keeps a row that was read, unless the entry has changed since. */
    void read(RowId id, SlotRow row, @Nullable Entry before) {
        if (isSmall(row) && (before == null || !before.changing)) {
            entries.compareAndSet(place(id), before, new Entry(id, row, true, false));
        }
    }

    private static boolean isSmall(SlotRow row) {
        return row.bytes().length <= LARGEST;
    }

    private static int place(RowId id) {
        return (int) id.low() & (PLACES - 1);
    }

    /** An entry, compared by identity, because the same row may be written twice. */
    static final class Entry {

        private final RowId id;
        private final @Nullable SlotRow row;
        private final boolean kept;
        private final boolean changing;

        private Entry(RowId id, @Nullable SlotRow row, boolean kept, boolean changing) {
            this.id = id;
            this.row = row;
            this.kept = kept;
            this.changing = changing;
        }

        boolean tells(RowId other) {
            return kept && id.equals(other);
        }

        @Nullable
        SlotRow row() {
            return row;
        }
    }
}
