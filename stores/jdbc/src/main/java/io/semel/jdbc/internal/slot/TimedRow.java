// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The row of a slot, or none, and the server's time at which it was read. */
public record TimedRow(@Nullable SlotRow row, long now) {

    /** Reads a row of a left join: without a slot its id is null. */
    public static TimedRow read(ResultSet columns) throws SQLException {
        return new TimedRow(columns.getObject("id") == null ? null : SlotRow.read(columns), columns.getLong("now"));
    }
}
