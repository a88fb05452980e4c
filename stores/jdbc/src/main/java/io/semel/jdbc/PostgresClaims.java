// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Claims in one statement, which reads first and writes only if the slot looks free to take. */
final class PostgresClaims implements Claims {

    /**
     * {@code known} is what this statement's snapshot shows. If that may be taken, {@code taken} tries, and the unique id
     * decides between two that try at once: the second sees the first one's row, checks it again, and takes nothing.
     */
    private static final Statement CLAIM = new Statement(Dialect.POSTGRESQL, """
            WITH asked AS MATERIALIZED (
                SELECT ?::uuid AS id, ?::uuid AS print, ?::bytea AS holder, ?::bigint AS lease,
                       ?::bytea AS scope, ?::bytea AS name, $now AS now
            ), known AS MATERIALIZED (
                SELECT s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, a.now,
                       s.holder = a.holder
                       OR (s.holder IS NOT NULL AND s.until <= a.now AND s.print = a.print)
                       OR (s.holder IS NULL AND s.forget <= a.now) AS takeable
                FROM asked a JOIN semel_slot s ON s.id = a.id
            ), taken AS (
                INSERT INTO semel_slot AS s (id, print, fence, attempts, holder, since, until, forget, scope, name)
                SELECT id, print, now, 1, holder, now, now + lease, 9223372036854775807, scope, name FROM asked
                WHERE NOT EXISTS (SELECT FROM known WHERE takeable IS NOT TRUE)
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
                RETURNING fence, attempts
            )
            SELECT 'granted' AS answer, NULL::uuid AS print, fence, attempts, NULL::bytea AS holder,
                   0::bigint AS since, 0::bigint AS until, 0::bigint AS forget, NULL::bytea AS result, 0::bigint AS now
            FROM taken
            UNION ALL
            SELECT 'known', print, fence, attempts, holder, since, until, forget, result, now
            FROM known WHERE takeable IS NOT TRUE
            """);

    @Override
    public Claim claim(Connection connection, Claiming claiming) throws SQLException {
        while (true) {
            Optional<Claim> claim = CLAIM.first(
                    connection,
                    PostgresClaims::answer,
                    claiming.id(),
                    claiming.print(),
                    claiming.holder(),
                    claiming.lease(),
                    claiming.scope(),
                    claiming.name());
            // No row: it looked free, and somebody else was faster. Their claim is committed, so the next look shows
            // it.
            if (claim.isPresent()) {
                return claim.get();
            }
        }
    }

    private static Claim answer(ResultSet row) throws SQLException {
        if (row.getString("answer").equals("granted")) {
            return new Claim.Granted(row.getLong("fence"), row.getInt("attempts") > 1);
        }
        return Row.read(row).known();
    }
}
