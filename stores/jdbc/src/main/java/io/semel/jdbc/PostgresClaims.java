// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.jdbc.Claims.Claiming;
import io.semel.jdbc.Statement.Column;
import io.semel.store.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of a claim: a look and an insert, each for one key or for many, and the taking over of what is there. */
final class PostgresClaims {

    private static final String COLUMNS =
            "SELECT s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, $now AS now";

    private static final String PLAIN = COLUMNS + " FROM semel_slot s WHERE s.id = ";

    /** There is a row even where there is none, for the time; that costs a little more. */
    private static final String WITH_TIME = COLUMNS + " FROM (SELECT) c LEFT JOIN semel_slot s ON s.id = ";

    private static final Looking SLOTS = Looking.of(PLAIN);
    private static final Looking SLOTS_AND_TIME = Looking.of(WITH_TIME);

    /** Only where nothing is known; where something is, it writes nothing. */
    private static final String INSERT = """
            INSERT INTO semel_slot (id, print, fence, attempts, holder, since, until, forget, scope, name)
            $asked
            ON CONFLICT (id) DO NOTHING
            RETURNING id, fence
            """;

    private static final Statement INSERT_ONE = new Statement(Dialect.POSTGRESQL, INSERT.replace("$asked", """
                    SELECT ?::uuid, ?::uuid, $now, 1, ?::bytea, $now, $now + ?::bigint, 9223372036854775807, ?::bytea, ?::bytea
                    FROM set_config('lock_timeout', '100ms', true)
                    WHERE pg_try_advisory_xact_lock_shared(?)
                    """));

    // Neither waits for a joined call, which has the advisory lock, nor for long where somebody has inserted the id
    // without
    // having committed it: what they write was reckoned before the wait, and a lease must not begin as one that is
    // over.

    /** In the order of the ids, so that two such statements do not wait for each other. */
    private static final Statement INSERT_MANY = new Statement(Dialect.POSTGRESQL, INSERT.replace("$asked", """
            SELECT id, print, $now, 1, holder, $now, $now + lease, 9223372036854775807, scope, name
            FROM unnest(?::uuid[], ?::uuid[], ?::bytea[], ?::bigint[], ?::bytea[], ?::bytea[], ?::bigint[])
                 AS asked (id, print, holder, lease, scope, name, lock),
                 set_config('lock_timeout', '100ms', true)
            WHERE pg_try_advisory_xact_lock_shared(lock)
            ORDER BY id
            """));

    /** Checks again what a look has shown, because somebody may have been faster; then it takes nothing. */
    private static final Statement TAKE_OVER = new Statement(Dialect.POSTGRESQL, """
            UPDATE semel_slot s
            SET print = g.print,
                fence = CASE WHEN s.holder = g.holder THEN s.fence ELSE greatest(s.fence + 1, g.now) END,
                attempts = CASE WHEN s.holder IS NULL THEN 1 WHEN s.holder = g.holder THEN s.attempts
                                ELSE least(s.attempts + 1, 32767) END,
                holder = g.holder,
                since = CASE WHEN s.holder = g.holder THEN s.since ELSE g.now END,
                until = g.now + g.lease,
                forget = 9223372036854775807,
                result = NULL,
                scope = g.scope,
                name = g.name
            FROM (SELECT ?::uuid AS id, ?::uuid AS print, ?::bytea AS holder, ?::bigint AS lease, ?::bytea AS scope,
                         ?::bytea AS name, $now AS now, set_config('lock_timeout', '100ms', true)) g
            WHERE s.id = g.id
              AND (s.holder = g.holder
                   OR (s.holder IS NOT NULL AND s.until <= g.now AND s.print = g.print)
                   OR (s.holder IS NULL AND s.forget <= g.now))
            RETURNING s.fence, s.attempts
            """);

    /** What is there, in the order of the ids. */
    static List<Optional<Row>> look(Connection connection, List<Object> ids) throws SQLException {
        Map<Object, Row> rows = new HashMap<>();
        SLOTS.at(connection, ids, rows);
        return ids.stream().map(id -> Optional.ofNullable(rows.get(id))).toList();
    }

    /** The same, and the server's time also where there is nothing. */
    static List<Seen> lookWithTime(Connection connection, List<Object> ids) throws SQLException {
        Map<Object, Row> rows = new HashMap<>();
        long now = SLOTS_AND_TIME.at(connection, ids, rows).get(0);
        return ids.stream().map(id -> new Seen(rows.get(id), now)).toList();
    }

    /** The grants of keys of which nothing was known, in the order of the claims; empty where something is, or somebody at it. */
    static List<Optional<Claim>> insert(Connection connection, List<Claiming> claimings) throws SQLException {
        Map<Object, Claim> grants = new HashMap<>();
        Statement.Reader<Long> reader = row -> {
            long fence = row.getLong("fence");
            grants.put(row.getObject("id"), new Claim.Granted(fence, false));
            return fence;
        };
        if (claimings.size() == 1) {
            Claiming only = claimings.get(0);
            INSERT_ONE.query(
                    connection,
                    reader,
                    only.id(),
                    only.print(),
                    only.holder(),
                    only.lease(),
                    only.scope(),
                    only.name(),
                    Claims.lock(only));
        } else {
            INSERT_MANY.query(
                    connection,
                    reader,
                    Column.of("uuid", claimings, Claiming::id),
                    Column.of("uuid", claimings, Claiming::print),
                    Column.of("bytea", claimings, Claiming::holder),
                    Column.of("bigint", claimings, Claiming::lease),
                    Column.of("bytea", claimings, Claiming::scope),
                    Column.of("bytea", claimings, Claiming::name),
                    Column.of("bigint", claimings, Claims::lock));
        }
        return claimings.stream()
                .map(each -> Optional.ofNullable(grants.get(each.id())))
                .toList();
    }

    /** The grant of a slot that is free, abandoned or the holder's own; empty if it is not any more. */
    static Optional<Claim> takeOver(Connection connection, Claiming claiming) throws SQLException {
        return TAKE_OVER.first(
                connection,
                row -> new Claim.Granted(row.getLong("fence"), row.getInt("attempts") > 1),
                parameters(claiming));
    }

    private static @Nullable Object[] parameters(Claiming claiming) {
        return new @Nullable Object[] {
            claiming.id(), claiming.print(), claiming.holder(), claiming.lease(), claiming.scope(), claiming.name()
        };
    }

    /** A look at one slot, or at many: by an array and not by a join, so that no plan made for a small table reads a large one. */
    private record Looking(Statement one, Statement many) {

        static Looking of(String sql) {
            return new Looking(
                    new Statement(Dialect.POSTGRESQL, sql + "?"),
                    new Statement(Dialect.POSTGRESQL, sql + "ANY (?::uuid[])"));
        }

        /** Puts what is there into the map, and gives the times of all rows. */
        List<Long> at(Connection connection, List<Object> ids, Map<Object, Row> found) throws SQLException {
            Statement.Reader<Long> reader = row -> {
                Object id = row.getObject("id");
                if (id != null) {
                    found.put(id, Row.read(row));
                }
                return row.getLong("now");
            };
            return ids.size() == 1
                    ? one.query(connection, reader, ids.get(0))
                    : many.query(connection, reader, Column.of("uuid", ids, id -> id));
        }
    }

    /** What is in a slot, and the server's time at which it was. */
    record Seen(@Nullable Row row, long now) {}

    private PostgresClaims() {}
}
