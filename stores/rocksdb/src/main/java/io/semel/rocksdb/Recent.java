// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Rows that were written or replayed last, so that a settlement need not read what its claim has just written, nor a storm
 * of retries what it has just read; and proof that a row somebody saw is still so: whatever changes, another entry takes its
 * place. Ids that share a place only cost each other a read.
 */
final class Recent {

    private static final int PLACES = 1 << 13;
    /** Larger ones are not kept, which bounds all of them to eight megabytes. */
    private static final int LARGEST = 1 << 10;

    private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(PLACES);

    /** What was last noted at the place of this id, be it about this id or another. */
    @Nullable
    Entry at(Id id) {
        return entries.get(place(id));
    }

    /** To be called before it is written: nobody keeps what was read before, nor what is read until it is on disk. */
    void changing(Id id) {
        entries.set(place(id), new Entry(id, null, false, true));
    }

    /** To be called after it is on disk. */
    void changed(Id id, @Nullable Row row) {
        boolean kept = row == null || isSmall(row);
        entries.set(place(id), new Entry(id, kept ? row : null, kept, false));
    }

    /** Keeps a row that was read, unless something was noted since that entry was. */
    void read(Id id, Row row, @Nullable Entry before) {
        if (isSmall(row) && (before == null || !before.changing)) {
            entries.compareAndSet(place(id), before, new Entry(id, row, true, false));
        }
    }

    private static boolean isSmall(Row row) {
        return row.bytes().length <= LARGEST;
    }

    private static int place(Id id) {
        return (int) id.low() & (PLACES - 1);
    }

    /** What was noted: compared by identity, because the same row may be written twice. */
    static final class Entry {

        private final Id id;
        private final @Nullable Row row;
        private final boolean kept;
        private final boolean changing;

        private Entry(Id id, @Nullable Row row, boolean kept, boolean changing) {
            this.id = id;
            this.row = row;
            this.kept = kept;
            this.changing = changing;
        }

        boolean tells(Id other) {
            return kept && id.equals(other);
        }

        @Nullable
        Row row() {
            return row;
        }
    }
}
