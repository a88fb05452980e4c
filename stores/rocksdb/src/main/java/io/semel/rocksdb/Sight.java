// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import org.jspecify.annotations.Nullable;

/** What somebody saw of a slot, with what the writer needs to know whether it is still so. */
record Sight(Id id, @Nullable Row row, Database database, Recent.@Nullable Entry last) {

    /** What was noted last is taken before the row is read: if a change comes in between, the row counts as stale, not as new. */
    static Sight of(Id id, Database database) {
        Recent.Entry last = database.recent().at(id);
        if (last != null && last.tells(id)) {
            return new Sight(id, last.row(), database, last);
        }
        Row row = database.row(id);
        if (row != null && row.hasResult()) {
            database.recent().read(id, row, last);
        }
        return new Sight(id, row, database, last);
    }

    @SuppressWarnings("ReferenceEquality") // another entry may be another change
    boolean isCurrent(Database now) {
        return database == now && now.recent().at(id) == last;
    }
}
