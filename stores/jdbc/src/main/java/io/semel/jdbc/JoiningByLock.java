// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Settlement;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/**
 * Takes the slot by an advisory lock, which writes nothing, and inserts the finished record at the end. The lock only saves
 * a duplicate from working in vain; what makes it correct is the unique id.
 */
final class JoiningByLock implements Joining {

    /** What the server says of a record that somebody else has made first: of a new one, and of one in the place of an old. */
    private static final Set<String> NOT_FIRST = Set.of("23505", "23502");

    /**
     * Nearly always nobody has the lock. What it sees may be a moment older than the lock, so that in between somebody else
     * may have come and gone; then the unique id decides.
     */
    private static final Statement TRY = new Statement(Dialect.POSTGRESQL, """
            SELECT pg_try_advisory_xact_lock(?) AS locked,
                   s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
            FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = ?
            """);

    /**
     * Two statements in one round trip, so that the look is later than the end of the wait. The wait is bounded by the
     * caller's lock_timeout or, where none is set, by one that is gone again before the caller's next statement. A wait in vain
     * is an error to the server, after which only what was before the savepoint can be gone on with.
     */
    private static final String WAIT_AND_LOOK = """
            SAVEPOINT semel_wait;
            WITH own AS MATERIALIZED (
                SELECT current_setting('lock_timeout') AS timeout
            ), bound AS MATERIALIZED (
                SELECT set_config('lock_timeout', CASE timeout WHEN '0' THEN '10s' ELSE timeout END, true) FROM own
            ), locked AS MATERIALIZED (
                SELECT pg_advisory_xact_lock(?) FROM bound
            )
            SELECT set_config('lock_timeout', own.timeout, true) FROM own, locked;
            SELECT s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
            FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = ?;
            RELEASE SAVEPOINT semel_wait
            """.replace("$now", Dialect.POSTGRESQL.now());

    private static final String GIVE_UP_WAITING = "ROLLBACK TO SAVEPOINT semel_wait; RELEASE SAVEPOINT semel_wait";

    private static final String INSERT = """
            INSERT INTO semel_slot (id, print, fence, attempts, since, until, forget, result, scope, name)
            VALUES (?, ?, $now, 1, $now, $now + ?, $now + ?, ?, ?, ?)
            """;

    /**
     * If somebody else was faster after all, the fence has no value, which it must have: that error keeps the server from
     * committing the transaction, whatever its caller does.
     */
    private static final String RECORD = """
            INSERT INTO semel_slot AS s (id, print, fence, attempts, since, until, forget, result, scope, name)
            SELECT ?, ?, now, 1, now, until, LEAST(until, 9223372036854775807 - remembrance) + remembrance, ?, ?, ?
            FROM (SELECT $now AS now, LEAST($now, 9223372036854775807 - retention) + retention AS until, remembrance
                  FROM (SELECT ?::bigint AS retention, ?::bigint AS remembrance) given) ends
            ON CONFLICT (id) DO UPDATE SET
                print = excluded.print,
                fence = CASE WHEN (s.holder IS NULL AND s.forget <= excluded.fence)
                               OR (s.holder IS NOT NULL AND s.until <= excluded.fence AND s.print = excluded.print)
                             THEN greatest(s.fence + 1, excluded.fence) END,
                attempts = 1,
                holder = NULL,
                since = excluded.since,
                until = excluded.until,
                forget = excluded.forget,
                result = excluded.result,
                scope = excluded.scope,
                name = excluded.name
            """;

    /** In one round trip with the commit; the server does not get to that if the record fails. */
    private static final String AND_COMMIT = "; COMMIT";

    private static final Records IN_TRANSACTION = Records.of("");
    private static final Records COMMITTING = Records.of(AND_COMMIT);

    @Override
    public Found claim(Connection connection, Claims.Claiming claiming) throws SQLException {
        long lock = ByteBuffer.wrap(claiming.call().key().hash()).getLong();
        Optional<Found> found = TRY.query(
                        connection,
                        row -> row.getBoolean("locked") ? Optional.of(found(row, claiming)) : Optional.<Found>empty(),
                        lock,
                        claiming.id())
                .get(0);
        return found.isPresent() ? found.get() : waitAndLook(connection, lock, claiming);
    }

    @Override
    public boolean settle(Connection connection, Taking taking, Settlement settlement) throws SQLException {
        return !(settlement instanceof Settlement.Complete done) || record(IN_TRANSACTION, connection, taking, done);
    }

    @Override
    public boolean settleAndCommit(Connection connection, Taking taking, Settlement.Complete done) throws SQLException {
        return record(COMMITTING, connection, taking, done);
    }

    private static boolean record(Records records, Connection connection, Taking taking, Settlement.Complete done)
            throws SQLException {
        try {
            records.write(connection, taking, done);
            return true;
        } catch (SQLException e) {
            if (e.getSQLState() != null && NOT_FIRST.contains(e.getSQLState()) && isOfTheRecord(e)) {
                return false;
            }
            throw e;
        }
    }

    /** And not of a constraint of the caller's that is checked only at the commit. */
    private static boolean isOfTheRecord(SQLException e) {
        return String.valueOf(e.getMessage()).contains("semel_slot");
    }

    private static Found waitAndLook(Connection connection, long lock, Claims.Claiming claiming) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WAIT_AND_LOOK)) {
            statement.setLong(1, lock);
            statement.setObject(2, claiming.id());
            statement.execute();
            statement.getMoreResults();
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return found(row, claiming);
            }
        } catch (SQLException e) {
            if (!Dialect.POSTGRESQL.isLockTimeout(e)) {
                throw e;
            }
        }
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute(GIVE_UP_WAITING);
        }
        return Found.waitedInVain(claiming);
    }

    private static Found found(ResultSet columns, Claims.Claiming claiming) throws SQLException {
        return columns.getObject("id") == null
                ? Found.nothing(columns.getLong("now"))
                : Found.of(Row.read(columns), claiming.call());
    }

    /** The statements that write a record: a new one, which costs least, or one in the place of what is over. */
    private record Records(Statement insert, Statement replace) {

        static Records of(String end) {
            return new Records(
                    new Statement(Dialect.POSTGRESQL, INSERT + end), new Statement(Dialect.POSTGRESQL, RECORD + end));
        }

        void write(Connection connection, Taking taking, Settlement.Complete done) throws SQLException {
            Claims.Claiming claiming = taking.claiming();
            long retention = Row.micros(done.retention().retention());
            long remembrance = Row.micros(done.retention().remembrance());
            if (taking.absent() && retention != Row.FOREVER && remembrance != Row.FOREVER) {
                insert.update(
                        connection,
                        claiming.id(),
                        claiming.print(),
                        retention,
                        retention + remembrance,
                        done.result(),
                        claiming.scope(),
                        claiming.name());
            } else {
                replace.update(
                        connection,
                        claiming.id(),
                        claiming.print(),
                        done.result(),
                        claiming.scope(),
                        claiming.name(),
                        retention,
                        remembrance);
            }
        }
    }
}
