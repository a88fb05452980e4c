// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Drops what is over, in small transactions that leave alone what somebody else is at. */
final class Purge {

    private final Statement forgotten;
    private final Statement outdated;
    private final Statement delete;
    private final Statement shrink;
    private final Dialect dialect;

    Purge(Dialect dialect) {
        this.dialect = dialect;
        String forgotten = """
                SELECT id FROM semel_slot WHERE until <= $now AND forget <= $now AND holder IS NULL
                LIMIT ? FOR UPDATE SKIP LOCKED
                """;
        String outdated = """
                SELECT id FROM semel_slot WHERE until <= $now AND forget > $now AND holder IS NULL AND result IS NOT NULL
                LIMIT ? FOR UPDATE SKIP LOCKED
                """;
        String delete = "DELETE FROM semel_slot WHERE id = ";
        String shrink = "UPDATE semel_slot SET result = NULL WHERE id = ";
        this.forgotten = new Statement(dialect, forgotten);
        this.outdated = new Statement(dialect, outdated);
        this.delete = new Statement(dialect, delete + (finds() ? "ANY (ARRAY(" + forgotten + "))" : "?"));
        this.shrink = new Statement(dialect, shrink + (finds() ? "ANY (ARRAY(" + outdated + "))" : "?"));
    }

    int purge(Connection connection, int limit) throws SQLException {
        int purged = apply(connection, forgotten, delete, limit);
        return purged == limit ? purged : purged + apply(connection, outdated, shrink, limit - purged);
    }

    /** Whether a statement may find for itself the rows that it changes; not every database lets it. */
    private boolean finds() {
        return dialect == Dialect.POSTGRESQL;
    }

    private int apply(Connection connection, Statement find, Statement change, int limit) throws SQLException {
        if (finds()) {
            return change.update(connection, limit);
        }
        List<byte[]> ids = find.query(connection, row -> Row.binary16(row, "id"), limit);
        change.updateAll(
                connection,
                ids.stream().map(id -> new Object[] {dialect.binary16(id)}).toList());
        return ids.size();
    }
}
