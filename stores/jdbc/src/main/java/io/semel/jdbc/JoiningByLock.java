// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Claim;
import io.semel.Settlement;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Takes the slot by an advisory lock, which writes nothing, and inserts the finished record at the end. The lock only saves
 * a duplicate from working in vain; what makes it correct is the unique id.
 */
final class JoiningByLock {

    /** Two statements in one round trip, so that the look is later than the end of the wait. */
    private static final String LOCK_AND_LOOK = """
            SELECT pg_advisory_xact_lock(?);
            SELECT s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
            FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = ?
            """.replace("$now", Dialect.POSTGRESQL.now());

    private static final Statement RECORD = new Statement(Dialect.POSTGRESQL, """
            INSERT INTO semel_slot AS s (id, print, fence, attempts, since, until, forget, result, scope, name)
            SELECT ?, ?, now, 1, now, until, LEAST(until, 9223372036854775807 - remembrance) + remembrance, ?, ?, ?
            FROM (SELECT $now AS now, LEAST($now, 9223372036854775807 - retention) + retention AS until, remembrance
                  FROM (SELECT ?::bigint AS retention, ?::bigint AS remembrance) given) ends
            ON CONFLICT (id) DO UPDATE SET
                print = excluded.print,
                fence = greatest(s.fence + 1, excluded.fence),
                attempts = 1,
                holder = NULL,
                since = excluded.since,
                until = excluded.until,
                forget = excluded.forget,
                result = excluded.result,
                scope = excluded.scope,
                name = excluded.name
            WHERE (s.holder IS NULL AND s.forget <= excluded.fence)
               OR (s.holder IS NOT NULL AND s.until <= excluded.fence AND s.print = excluded.print)
            """);

    Claim claim(Connection connection, Claims.Claiming claiming) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOCK_AND_LOOK)) {
            statement.setLong(1, ByteBuffer.wrap(claiming.call().key().hash()).getLong());
            statement.setObject(2, claiming.id());
            statement.execute();
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getObject("id") == null ? granted(row.getLong("now")) : decide(Row.read(row), claiming);
            }
        }
    }

    boolean settle(Connection connection, Claims.Claiming claiming, Settlement settlement) throws SQLException {
        if (!(settlement instanceof Settlement.Complete done)) {
            return true;
        }
        return RECORD.update(
                        connection,
                        claiming.id(),
                        claiming.print(),
                        done.result(),
                        claiming.scope(),
                        claiming.name(),
                        Row.micros(done.retention().retention()),
                        Row.micros(done.retention().remembrance()))
                == 1;
    }

    private static Claim decide(Row row, Claims.Claiming claiming) {
        if (row.isFree()) {
            return granted(Math.max(row.now(), row.fence() + 1));
        }
        return row.isAbandonedTo(claiming.call())
                ? new Claim.Granted(Math.max(row.now(), row.fence() + 1), true)
                : row.known();
    }

    private static Claim granted(long fence) {
        return new Claim.Granted(fence, false);
    }
}
