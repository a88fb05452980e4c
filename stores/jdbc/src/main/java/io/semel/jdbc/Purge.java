// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Drops what is over, in small transactions that leave alone what somebody else is at. A row that has lost its result is due again
 * when it is forgotten, so that every row it finds is one that it changes.
 */
final class Purge {

    private static final String DUE = """
            FROM semel_slot WHERE holder IS NULL AND $due >= ? AND $due <= $now
            ORDER BY $due LIMIT ? FOR UPDATE SKIP LOCKED
            """;

    /** For the database that lets a statement find for itself the rows that it changes. */
    private static final Statement AT_ONCE = new Statement(Dialect.POSTGRESQL, """
            WITH due AS MATERIALIZED (
                SELECT id, until, forget <= $now AS over $found
            ), gone AS (
                DELETE FROM semel_slot WHERE id = ANY (ARRAY(SELECT id FROM due WHERE over))
            ), shrunk AS (
                UPDATE semel_slot SET result = NULL, until = forget WHERE id = ANY (ARRAY(SELECT id FROM due WHERE NOT over))
            )
            SELECT count(*) AS purged, max(until) AS reached FROM due
            """.replace("$found", DUE));

    private final Dialect dialect;
    private final Statement find;
    private final Statement delete;
    private final Statement shrink;

    Purge(Dialect dialect) {
        this.dialect = dialect;
        this.find = new Statement(dialect, "SELECT id, until, forget, $now AS now " + DUE);
        this.delete = new Statement(dialect, "DELETE FROM semel_slot WHERE id = ?");
        this.shrink = new Statement(dialect, "UPDATE semel_slot SET result = NULL, until = forget WHERE id = ?");
    }

    /** The first rows that are over, beginning with those that were so at this time. */
    Purged purge(Connection connection, long from, int limit) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            return AT_ONCE.first(
                            connection, row -> new Purged(row.getInt("purged"), row.getLong("reached")), from, limit)
                    .orElseThrow();
        }
        List<Due> due = find.query(connection, this::due, from, limit);
        delete.updateAll(
                connection, due.stream().filter(Due::over).map(Due::key).toList());
        shrink.updateAll(
                connection,
                due.stream().filter(each -> !each.over).map(Due::key).toList());
        return new Purged(due.size(), due.isEmpty() ? from : due.get(due.size() - 1).until);
    }

    private Due due(ResultSet row) throws SQLException {
        return new Due(
                dialect.binary16(Row.binary16(row, "id")),
                row.getLong("until"),
                row.getLong("forget") <= row.getLong("now"));
    }

    /** How many rows, and when the last of them was over. */
    record Purged(int count, long reached) {}

    private record Due(Object id, long until, boolean over) {

        Object[] key() {
            return new Object[] {id};
        }
    }
}
