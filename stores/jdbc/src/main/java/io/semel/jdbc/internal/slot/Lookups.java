// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** The statements that look up one slot, or the server's time. */
public final class Lookups {

    private final SqlStatement look;
    private final SqlStatement clock;

    public Lookups(SqlDialect dialect) {
        this.clock = new SqlStatement(dialect, "SELECT $now AS now");
        this.look = new SqlStatement(dialect, """
            SELECT print, fence, attempts, holder, since, until, forget, result, $now AS now
            FROM semel_slot WHERE id = ?
            """);
    }

    public long now(Connection connection) throws SQLException {
        return clock.first(connection, row -> row.getLong("now")).orElseThrow();
    }

    public Optional<SlotRow> look(Connection connection, Object id) throws SQLException {
        return look.first(connection, SlotRow::read, id).filter(row -> !row.isFree());
    }
}
