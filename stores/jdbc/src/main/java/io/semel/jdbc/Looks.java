// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Statements that look at one slot, or at the clock. */
final class Looks {

    private final Statement look;
    private final Statement clock;

    Looks(Dialect dialect) {
        this.clock = new Statement(dialect, "SELECT $now AS now");
        this.look = new Statement(dialect, """
            SELECT print, fence, attempts, holder, since, until, forget, result, $now AS now
            FROM semel_slot WHERE id = ?
            """);
    }

    long now(Connection connection) throws SQLException {
        return clock.first(connection, row -> row.getLong("now")).orElseThrow();
    }

    Optional<Row> look(Connection connection, Object id) throws SQLException {
        return look.first(connection, Row::read, id).filter(row -> !row.isFree());
    }
}
