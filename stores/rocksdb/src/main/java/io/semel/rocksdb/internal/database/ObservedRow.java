// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SlotRow;
import org.jspecify.annotations.Nullable;

/** A slot's row as a caller read it, and the evidence by which the writer knows whether it is still current. */
public record ObservedRow(RowId id, @Nullable SlotRow row, Database database, RecentRows.@Nullable Entry last) {

    /** Reads the recent entry before the row: a change in between makes the row count as stale, not as current. */
    public static ObservedRow of(RowId id, Database database) {
        RecentRows.Entry last = database.recent().at(id);
        if (last != null && last.tells(id)) {
            return new ObservedRow(id, last.row(), database, last);
        }
        SlotRow row = database.row(id);
        if (row != null && row.hasResult()) {
            database.recent().read(id, row, last);
        }
        return new ObservedRow(id, row, database, last);
    }

    @SuppressWarnings("ReferenceEquality") // another entry may be another change
    public boolean isCurrent(Database now) {
        return database == now && now.recent().at(id) == last;
    }
}
