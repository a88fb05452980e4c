// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlStatement.ArrayParameter;
import io.semel.store.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of a claim: a lookup and an insert, each for one key or for many, and the takeover of an existing slot. */
final class PostgresClaims {

    private static final String COLUMNS =
            "SELECT s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, $now AS now";

    private static final String PLAIN = COLUMNS + " FROM semel_slot s WHERE s.id = ";

    /** Also returns a row, for the time, where there is no slot; that costs a little more. */
    private static final String WITH_TIME = COLUMNS + " FROM (SELECT) c LEFT JOIN semel_slot s ON s.id = ";

    private static final Lookup SLOTS = Lookup.of(PLAIN);
    private static final Lookup SLOTS_AND_TIME = Lookup.of(WITH_TIME);

    /** Inserts a slot; writes nothing if the key has one. */
    private static final String INSERT = """
            INSERT INTO semel_slot (id, print, fence, attempts, holder, since, until, forget, scope, name)
            $asked
            ON CONFLICT (id) DO NOTHING
            RETURNING id, fence
            """;

    private static final SqlStatement INSERT_ONE =
            new SqlStatement(SqlDialect.POSTGRESQL, INSERT.replace("$asked", """
                    SELECT ?::uuid, ?::uuid, $now, 1, ?::bytea, $now, $now + ?::bigint, 9223372036854775807, ?::bytea, ?::bytea
                    FROM set_config('lock_timeout', '100ms', true)
                    WHERE pg_try_advisory_xact_lock_shared(?)
                    """));

    // Neither insert waits for a joined call, which holds the advisory lock, nor long for an uncommitted insert of the
    // same id: the written times are computed before the wait, and a lease must not be over when it begins.

    /** In the order of the ids, so that two such statements cannot deadlock. */
    private static final SqlStatement INSERT_MANY =
            new SqlStatement(SqlDialect.POSTGRESQL, INSERT.replace("$asked", """
            SELECT id, print, $now, 1, holder, $now, $now + lease, 9223372036854775807, scope, name
            FROM unnest(?::uuid[], ?::uuid[], ?::bytea[], ?::bigint[], ?::bytea[], ?::bytea[], ?::bigint[])
                 AS asked (id, print, holder, lease, scope, name, lock),
                 set_config('lock_timeout', '100ms', true)
            WHERE pg_try_advisory_xact_lock_shared(lock)
            ORDER BY id
            """));

    /** Repeats the conditions of the lookup, and takes nothing if another claim was faster. */
    private static final SqlStatement TAKE_OVER = new SqlStatement(SqlDialect.POSTGRESQL, """
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

    /** The rows, in the order of the ids. */
    static List<Optional<SlotRow>> look(Connection connection, List<Object> ids) throws SQLException {
        Map<Object, SlotRow> rows = new HashMap<>();
        SLOTS.at(connection, ids, rows);
        return ids.stream().map(id -> Optional.ofNullable(rows.get(id))).toList();
    }

    /** The same with the server's time, also for keys without a slot. */
    static List<TimedRow> lookWithTime(Connection connection, List<Object> ids) throws SQLException {
        Map<Object, SlotRow> rows = new HashMap<>();
        long now = SLOTS_AND_TIME.at(connection, ids, rows).get(0);
        return ids.stream().map(id -> new TimedRow(rows.get(id), now)).toList();
    }

    /** The grants of new keys, in the order of the claims; empty where a key has a slot or another transaction uses it. */
    static List<Optional<Claim>> insert(Connection connection, List<ClaimParameters> claimings) throws SQLException {
        Map<Object, Claim> grants = new HashMap<>();
        SqlStatement.Reader<Long> reader = row -> {
            long fence = row.getLong("fence");
            grants.put(row.getObject("id"), new Claim.Granted(fence, false));
            return fence;
        };
        if (claimings.size() == 1) {
            ClaimParameters only = claimings.get(0);
            INSERT_ONE.query(
                    connection,
                    reader,
                    only.id(),
                    only.print(),
                    only.holder(),
                    only.lease(),
                    only.scope(),
                    only.name(),
                    only.lock());
        } else {
            INSERT_MANY.query(
                    connection,
                    reader,
                    ArrayParameter.of("uuid", claimings, ClaimParameters::id),
                    ArrayParameter.of("uuid", claimings, ClaimParameters::print),
                    ArrayParameter.of("bytea", claimings, ClaimParameters::holder),
                    ArrayParameter.of("bigint", claimings, ClaimParameters::lease),
                    ArrayParameter.of("bytea", claimings, ClaimParameters::scope),
                    ArrayParameter.of("bytea", claimings, ClaimParameters::name),
                    ArrayParameter.of("bigint", claimings, ClaimParameters::lock));
        }
        return claimings.stream()
                .map(each -> Optional.ofNullable(grants.get(each.id())))
                .toList();
    }

    /** The grant of a slot that is free, abandoned or the holder's own; empty if it no longer is. */
    static Optional<Claim> takeOver(Connection connection, ClaimParameters claiming) throws SQLException {
        return TAKE_OVER.first(
                connection,
                row -> new Claim.Granted(row.getLong("fence"), row.getInt("attempts") > 1),
                parameters(claiming));
    }

    private static @Nullable Object[] parameters(ClaimParameters claiming) {
        return new @Nullable Object[] {
            claiming.id(), claiming.print(), claiming.holder(), claiming.lease(), claiming.scope(), claiming.name()
        };
    }

    /** A lookup of one slot or many: by an array and not by a join, because a plan made for a small table scans a large one. */
    private record Lookup(SqlStatement one, SqlStatement many) {

        static Lookup of(String sql) {
            return new Lookup(
                    new SqlStatement(SqlDialect.POSTGRESQL, sql + "?"),
                    new SqlStatement(SqlDialect.POSTGRESQL, sql + "ANY (?::uuid[])"));
        }

        /** Puts the rows into the map, and returns the times at which they were read. */
        List<Long> at(Connection connection, List<Object> ids, Map<Object, SlotRow> found) throws SQLException {
            SqlStatement.Reader<Long> reader = row -> {
                Object id = row.getObject("id");
                if (id != null) {
                    found.put(id, SlotRow.read(row));
                }
                return row.getLong("now");
            };
            return ids.size() == 1
                    ? one.query(connection, reader, ids.get(0))
                    : many.query(connection, reader, ArrayParameter.of("uuid", ids, id -> id));
        }
    }

    private PostgresClaims() {}
}
