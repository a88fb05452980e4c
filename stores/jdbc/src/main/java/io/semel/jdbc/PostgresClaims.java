// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Claim;
import io.semel.jdbc.Claims.Claiming;
import io.semel.jdbc.Statement.Column;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of a claim, each for one key or for many: a look, and the taking of what may be had. */
final class PostgresClaims {

    /** There is a row even where there is none, for the time. */
    private static final String LOOK = """
            SELECT s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
            FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = $asked
            """;

    private static final Statement LOOK_AT_ONE = new Statement(Dialect.POSTGRESQL, LOOK.replace("$asked", "?"));

    /** By an array and not by a join: a plan made while the table was small must not read all of it when it has grown. */
    private static final Statement LOOK_AT_MANY =
            new Statement(Dialect.POSTGRESQL, LOOK.replace("$asked", "ANY (?::uuid[])"));

    /** Checks again what the look has shown, because somebody may have been faster; then it takes nothing. */
    private static final String TAKE = """
            INSERT INTO semel_slot AS s (id, print, fence, attempts, holder, since, until, forget, scope, name)
            $asked
            ON CONFLICT (id) DO UPDATE SET
                print = excluded.print,
                fence = CASE WHEN s.holder = excluded.holder THEN s.fence ELSE greatest(s.fence + 1, excluded.fence) END,
                attempts = CASE WHEN s.holder IS NULL THEN 1 WHEN s.holder = excluded.holder THEN s.attempts
                                ELSE least(s.attempts + 1, 32767) END,
                holder = excluded.holder,
                since = CASE WHEN s.holder = excluded.holder THEN s.since ELSE excluded.since END,
                until = excluded.until,
                forget = excluded.forget,
                result = NULL,
                scope = excluded.scope,
                name = excluded.name
            WHERE s.holder = excluded.holder
               OR (s.holder IS NOT NULL AND s.until <= excluded.fence AND s.print = excluded.print)
               OR (s.holder IS NULL AND s.forget <= excluded.fence)
            RETURNING id, fence, attempts
            """;

    private static final Statement TAKE_ONE = new Statement(
            Dialect.POSTGRESQL,
            TAKE.replace("$asked", "VALUES (?, ?, $now, 1, ?, $now, $now + ?, 9223372036854775807, ?, ?)"));

    /** In the order of the ids, so that two such statements do not wait for each other. */
    private static final Statement TAKE_MANY = new Statement(Dialect.POSTGRESQL, TAKE.replace("$asked", """
            SELECT id, print, $now, 1, holder, $now, $now + lease, 9223372036854775807, scope, name
            FROM unnest(?::uuid[], ?::uuid[], ?::bytea[], ?::bigint[], ?::bytea[], ?::bytea[])
                 AS asked (id, print, holder, lease, scope, name)
            ORDER BY id
            """));

    /** What is there, in the order of the ids. */
    static List<Seen> look(Connection connection, List<Object> ids) throws SQLException {
        Map<Object, Row> rows = new HashMap<>();
        Statement.Reader<Long> reader = row -> {
            Object id = row.getObject("id");
            if (id != null) {
                rows.put(id, Row.read(row));
            }
            return row.getLong("now");
        };
        List<Long> times = ids.size() == 1
                ? LOOK_AT_ONE.query(connection, reader, ids.get(0))
                : LOOK_AT_MANY.query(connection, reader, Column.of("uuid", ids, id -> id));
        long now = times.get(0);
        return ids.stream().map(id -> new Seen(rows.get(id), now)).toList();
    }

    /** The grants, by their ids; what is missing was taken by somebody else a moment before. */
    static Map<Object, Claim> take(Connection connection, List<Claiming> claimings) throws SQLException {
        Map<Object, Claim> grants = new HashMap<>();
        Statement.Reader<Claim> reader = row -> {
            Claim grant = grant(row);
            grants.put(row.getObject("id"), grant);
            return grant;
        };
        if (claimings.size() == 1) {
            Claiming only = claimings.get(0);
            TAKE_ONE.query(
                    connection,
                    reader,
                    only.id(),
                    only.print(),
                    only.holder(),
                    only.lease(),
                    only.scope(),
                    only.name());
        } else {
            TAKE_MANY.query(
                    connection,
                    reader,
                    Column.of("uuid", claimings, Claiming::id),
                    Column.of("uuid", claimings, Claiming::print),
                    Column.of("bytea", claimings, Claiming::holder),
                    Column.of("bigint", claimings, Claiming::lease),
                    Column.of("bytea", claimings, Claiming::scope),
                    Column.of("bytea", claimings, Claiming::name));
        }
        return grants;
    }

    private static Claim grant(ResultSet row) throws SQLException {
        return new Claim.Granted(row.getLong("fence"), row.getInt("attempts") > 1);
    }

    /** What is in a slot, and the server's time at which it was. */
    record Seen(@Nullable Row row, long now) {}

    private PostgresClaims() {}
}
