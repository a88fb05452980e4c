// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes the slot by an advisory lock, which writes nothing, and inserts the finished record at the end. The lock only saves
 * a duplicate from working in vain; what makes it correct is the unique id.
 */
final class JoiningByLock implements Joining {

    /** What the server says of a record that somebody else has made first: of a new one, and of one in the place of an old. */
    private static final Set<String> NOT_FIRST = Set.of("23505", "23502");

    /** The same of a record in another transaction, by the only column that has no value then. */
    private static final String NULL_VALUE = "23502";

    private static final String UNMARKED = "since";
    /** Of a transaction in which a statement has failed: it answers nothing more. */
    private static final String FAILED = "25P02";

    /**
     * Never waits. What it sees may be a moment older than the lock, so that in between somebody else may have come and gone;
     * then the unique id decides.
     */
    private static final String TRY = """
            SELECT pg_try_advisory_xact_lock(?) AS locked,$mark
                   s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
            FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = ?
            """;

    /** Ends with the transaction, and is in no other, should a driver have put another connection in the place of one that was lost. */
    private static final String MARK = " set_config('semel.holder', ?, true),";

    private static final String MARKED = "CASE WHEN current_setting('semel.holder', true) = ? THEN $now END";

    private static final Statement IS_MARKED =
            new Statement(Dialect.POSTGRESQL, "SELECT current_setting('semel.holder', true) = ? AS marked");

    private static final Statement TRY_PLAIN = new Statement(Dialect.POSTGRESQL, TRY.replace("$mark", ""));
    private static final Statement TRY_MARKING = new Statement(Dialect.POSTGRESQL, TRY.replace("$mark", MARK));

    private static final String INSERT = """
            INSERT INTO semel_slot (id, print, fence, attempts, since, until, forget, result, scope, name)
            VALUES (?, ?, $now, 1, $since, $now + ?, $now + ?, ?, ?, ?)
            """;

    /**
     * If the slot is not as it was seen, the fence has no value, and if this is another transaction, the time has none. Both must
     * have one: that error keeps the server from committing the transaction, whatever its caller does.
     */
    private static final String RECORD = """
            INSERT INTO semel_slot AS s (id, print, fence, attempts, since, until, forget, result, scope, name)
            SELECT ?, ?, now, 1, $since, until, LEAST(until, 9223372036854775807 - remembrance) + remembrance, ?, ?, ?
            FROM (SELECT $now AS now, LEAST($now, 9223372036854775807 - retention) + retention AS until, remembrance
                  FROM (SELECT ?::bigint AS retention, ?::bigint AS remembrance) given) ends
            ON CONFLICT (id) DO UPDATE SET
                print = excluded.print,
                fence = CASE WHEN s.fence = ? AND s.until = ? AND s.holder IS NOT DISTINCT FROM ?
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

    private static final Records IN_TRANSACTION = Records.of("", false);
    private static final Records COMMITTING = Records.of(AND_COMMIT, false);
    private static final Records COMMITTING_MARKED = Records.of(AND_COMMIT, true);

    /** Whether a transaction that it begins is known by a mark at its end. */
    private final boolean marks;

    JoiningByLock(boolean marks) {
        this.marks = marks;
    }

    @Override
    public Found claim(Connection connection, Claims.Claiming claiming) throws SQLException {
        return tried(TRY_PLAIN, connection, claiming, Claims.lock(claiming), claiming.id());
    }

    @Override
    public Found begin(Connection connection, Claims.Claiming claiming) throws SQLException {
        return marks
                ? tried(TRY_MARKING, connection, claiming, Claims.lock(claiming), mark(claiming), claiming.id())
                : claim(connection, claiming);
    }

    private static Found tried(
            Statement statement, Connection connection, Claims.Claiming claiming, Object... parameters)
            throws SQLException {
        return statement
                .query(
                        connection,
                        row -> row.getBoolean("locked") ? found(row, claiming) : Found.inUse(claiming),
                        parameters)
                .get(0);
    }

    private static String mark(Claims.Claiming claiming) {
        return new String(claiming.holder(), StandardCharsets.US_ASCII);
    }

    @Override
    public boolean settle(Connection connection, Taking taking, Settlement settlement) throws SQLException {
        return !(settlement instanceof Settlement.Complete done)
                || record(IN_TRANSACTION, connection, taking, done) == Ending.KEPT;
    }

    @Override
    public Ending settleAndCommit(Connection connection, Taking taking, Settlement.Complete done) throws SQLException {
        return record(marks ? COMMITTING_MARKED : COMMITTING, connection, taking, done);
    }

    @Override
    public boolean isBegun(Connection connection, Claims.Claiming claiming) throws SQLException {
        try {
            return !marks
                    || IS_MARKED
                            .first(connection, row -> row.getBoolean("marked"), mark(claiming))
                            .orElseThrow();
        } catch (SQLException e) {
            if (FAILED.equals(e.getSQLState())) {
                return true;
            }
            throw e;
        }
    }

    private static Ending record(Records records, Connection connection, Taking taking, Settlement.Complete done)
            throws SQLException {
        try {
            records.write(connection, taking, done);
            return Ending.KEPT;
        } catch (SQLException e) {
            if (e.getSQLState() == null || !NOT_FIRST.contains(e.getSQLState()) || !isOfTheRecord(e)) {
                throw e;
            }
            return isUnmarked(e) ? Ending.UNKNOWN : Ending.NOT_FIRST;
        }
    }

    private static boolean isUnmarked(SQLException e) {
        return NULL_VALUE.equals(e.getSQLState())
                && String.valueOf(e.getMessage()).contains(UNMARKED);
    }

    /** And not of a constraint of the caller's that is checked only at the commit. */
    private static boolean isOfTheRecord(SQLException e) {
        return String.valueOf(e.getMessage()).contains("semel_slot");
    }

    private static Found found(ResultSet columns, Claims.Claiming claiming) throws SQLException {
        return columns.getObject("id") == null
                ? Found.nothing(columns.getLong("now"))
                : Found.of(Row.read(columns), claiming.call());
    }

    /** The statements that write a record: a new one, which costs least, or one in the place of what is over. */
    private record Records(Statement insert, Statement replace, boolean marked) {

        static Records of(String end, boolean marked) {
            String since = marked ? MARKED : "$now";
            return new Records(
                    new Statement(Dialect.POSTGRESQL, INSERT.replace("$since", since) + end),
                    new Statement(Dialect.POSTGRESQL, RECORD.replace("$since", since) + end),
                    marked);
        }

        void write(Connection connection, Taking taking, Settlement.Complete done) throws SQLException {
            Claims.Claiming claiming = taking.claiming();
            long retention = Row.micros(done.retention().retention());
            long remembrance = Row.micros(done.retention().remembrance());
            if (taking.seen().isNothing() && retention != Row.FOREVER && remembrance != Row.FOREVER) {
                write(
                        insert,
                        connection,
                        claiming,
                        retention,
                        retention + remembrance,
                        done.result(),
                        claiming.scope(),
                        claiming.name());
            } else {
                write(
                        replace,
                        connection,
                        claiming,
                        done.result(),
                        claiming.scope(),
                        claiming.name(),
                        retention,
                        remembrance,
                        taking.seen().fence(),
                        taking.seen().until(),
                        taking.seen().holder());
            }
        }

        private void write(
                Statement statement, Connection connection, Claims.Claiming claiming, @Nullable Object... rest)
                throws SQLException {
            List<@Nullable Object> all = new ArrayList<>();
            all.add(claiming.id());
            all.add(claiming.print());
            // The gap of the mark comes before all others that differ.
            if (marked) {
                all.add(mark(claiming));
            }
            all.addAll(Arrays.asList(rest));
            statement.update(connection, all.toArray());
        }
    }
}
