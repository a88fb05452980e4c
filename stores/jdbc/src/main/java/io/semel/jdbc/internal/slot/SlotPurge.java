// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlValues;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes what has expired, in small transactions that skip locked rows. A row that has lost its result is due again at the
 * end of its remembrance, so that every row found is a row that changes.
 */
public final class SlotPurge {

    private static final String DUE = """
            FROM semel_slot WHERE holder IS NULL AND $due >= ? AND $due <= $now
            ORDER BY $due LIMIT ? FOR UPDATE SKIP LOCKED
            """;

    /** For the dialect in which one statement can find the rows and change them. */
    private static final SqlStatement AT_ONCE = new SqlStatement(SqlDialect.POSTGRESQL, """
            WITH due AS MATERIALIZED (
                SELECT id, until, forget <= $now AS over $found
            ), gone AS (
                DELETE FROM semel_slot WHERE id = ANY (ARRAY(SELECT id FROM due WHERE over))
            ), shrunk AS (
                UPDATE semel_slot SET result = NULL, until = forget WHERE id = ANY (ARRAY(SELECT id FROM due WHERE NOT over))
            )
            SELECT count(*) AS purged, max(until) AS reached FROM due
            """.replace("$found", DUE));

    private final SqlDialect dialect;
    private final SqlStatement find;
    private final SqlStatement delete;
    private final SqlStatement shrink;

    public SlotPurge(SqlDialect dialect) {
        this.dialect = dialect;
        this.find = new SqlStatement(dialect, "SELECT id, until, forget, $now AS now " + DUE);
        this.delete = new SqlStatement(dialect, "DELETE FROM semel_slot WHERE id = ?");
        this.shrink = new SqlStatement(dialect, "UPDATE semel_slot SET result = NULL, until = forget WHERE id = ?");
    }

    /** Purges the first rows that were due at this time or later. */
    public Purged purge(Connection connection, long from, int limit) throws SQLException {
        if (dialect == SqlDialect.POSTGRESQL) {
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
                dialect.binary16(SqlValues.binary16(row, "id")),
                row.getLong("until"),
                row.getLong("forget") <= row.getLong("now"));
    }

    /** The number of rows, and the time at which the last of them was due. */
    public record Purged(int count, long reached) {}

    private record Due(Object id, long until, boolean over) {

        Object[] key() {
            return new Object[] {id};
        }
    }
}
