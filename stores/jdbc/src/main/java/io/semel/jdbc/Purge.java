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
        this.forgotten = new Statement(dialect, """
                SELECT id FROM semel_slot WHERE until <= $now AND forget <= $now AND holder IS NULL
                LIMIT ? FOR UPDATE SKIP LOCKED
                """);
        this.outdated = new Statement(dialect, """
                SELECT id FROM semel_slot WHERE until <= $now AND forget > $now AND holder IS NULL AND result IS NOT NULL
                LIMIT ? FOR UPDATE SKIP LOCKED
                """);
        this.delete = new Statement(dialect, "DELETE FROM semel_slot WHERE id = ?");
        this.shrink = new Statement(dialect, "UPDATE semel_slot SET result = NULL WHERE id = ?");
    }

    int purge(Connection connection, int limit) throws SQLException {
        int purged = apply(connection, forgotten, delete, limit);
        return purged == limit ? purged : purged + apply(connection, outdated, shrink, limit - purged);
    }

    private int apply(Connection connection, Statement find, Statement change, int limit) throws SQLException {
        List<byte[]> ids = find.query(connection, row -> Row.binary16(row, "id"), limit);
        change.updateAll(
                connection,
                ids.stream().map(id -> new Object[] {dialect.binary16(id)}).toList());
        return ids.size();
    }
}
