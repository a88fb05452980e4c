// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.joined;

import io.semel.jdbc.internal.slot.ClaimParameters;
import io.semel.jdbc.internal.slot.TimedRow;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlStates;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes the slot by an advisory lock, which writes nothing, and inserts the finished record at the end. The lock only
 * saves duplicates from useless work; the unique id makes it correct.
 */
final class LockJoin implements JoinStrategy {

    /** The states by which the server refuses a record because another transaction was first: a new one, and a replacement. */
    private static final Set<String> NOT_FIRST = Set.of(SqlStates.DUPLICATE_KEY, SqlStates.NULL_VALUE);

    /** The column that is null in any other transaction. */
    private static final String UNMARKED = "since";

    /**
     * Never waits. The row may have been read a moment before the lock was taken, so that another transaction may have
     * come and gone in between; then the unique id decides.
     */
    private static final String TRY = """
            SELECT pg_try_advisory_xact_lock(?) AS locked,$mark
                   s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
            FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = ?
            """;

    /** Ends with the transaction, and is missing in any other, should a driver have replaced a lost connection. */
    private static final String MARK = " set_config('semel.holder', ?, true),";

    private static final String MARKED = "CASE WHEN current_setting('semel.holder', true) = ? THEN $now END";

    private static final SqlStatement IS_MARKED =
            new SqlStatement(SqlDialect.POSTGRESQL, "SELECT current_setting('semel.holder', true) = ? AS marked");

    private static final SqlStatement TRY_PLAIN = new SqlStatement(SqlDialect.POSTGRESQL, TRY.replace("$mark", ""));
    private static final SqlStatement TRY_MARKING = new SqlStatement(SqlDialect.POSTGRESQL, TRY.replace("$mark", MARK));

    private static final String INSERT = """
            INSERT INTO semel_slot (id, print, fence, attempts, since, until, forget, result, scope, name)
            VALUES (?, ?, $now, 1, $since, $now + ?, $now + ?, ?, ?, ?)
            """;

    /**
     * If the slot has changed since it was read, the fence is null; if this is another transaction, the time is null.
     * Both columns are NOT NULL: that error keeps the server from committing the transaction, whatever its caller does.
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

    /** Saves a round trip; the server does not reach the commit if the record fails. */
    private static final String AND_COMMIT = "; COMMIT";

    private static final Records IN_TRANSACTION = Records.of("", false);
    private static final Records COMMITTING = Records.of(AND_COMMIT, false);
    private static final Records COMMITTING_MARKED = Records.of(AND_COMMIT, true);

    /** Whether a transaction that it begins is recognized by a mark at its end. */
    private final boolean marks;

    LockJoin(boolean marks) {
        this.marks = marks;
    }

    @Override
    public ClaimAnswer claim(Connection connection, ClaimParameters claiming) throws SQLException {
        return tried(TRY_PLAIN, connection, claiming, claiming.lock(), claiming.id());
    }

    @Override
    public ClaimAnswer begin(Connection connection, ClaimParameters claiming) throws SQLException {
        return marks
                ? tried(TRY_MARKING, connection, claiming, claiming.lock(), mark(claiming), claiming.id())
                : claim(connection, claiming);
    }

    private static ClaimAnswer tried(
            SqlStatement statement, Connection connection, ClaimParameters claiming, Object... parameters)
            throws SQLException {
        return statement
                .query(
                        connection,
                        row -> row.getBoolean("locked")
                                ? ClaimAnswer.of(TimedRow.read(row), claiming.call())
                                : ClaimAnswer.inUse(claiming),
                        parameters)
                .get(0);
    }

    private static String mark(ClaimParameters claiming) {
        return new String(claiming.holder(), StandardCharsets.US_ASCII);
    }

    @Override
    public boolean settle(Connection connection, Grant grant, Settlement settlement) throws SQLException {
        return !(settlement instanceof Settlement.Complete done)
                || record(IN_TRANSACTION, connection, grant, done) == Ending.KEPT;
    }

    @Override
    public Ending settleAndCommit(Connection connection, Grant grant, Settlement.Complete done) throws SQLException {
        return record(marks ? COMMITTING_MARKED : COMMITTING, connection, grant, done);
    }

    @Override
    public boolean isBegun(Connection connection, ClaimParameters claiming) throws SQLException {
        try {
            return !marks
                    || IS_MARKED
                            .first(connection, row -> row.getBoolean("marked"), mark(claiming))
                            .orElseThrow();
        } catch (SQLException e) {
            if (SqlStates.FAILED_TRANSACTION.equals(e.getSQLState())) {
                return true;
            }
            throw e;
        }
    }

    private static Ending record(Records records, Connection connection, Grant grant, Settlement.Complete done)
            throws SQLException {
        try {
            records.write(connection, grant, done);
            return Ending.KEPT;
        } catch (SQLException e) {
            if (e.getSQLState() == null || !NOT_FIRST.contains(e.getSQLState()) || !isOfTheRecord(e)) {
                throw e;
            }
            return isUnmarked(e) ? Ending.UNKNOWN : Ending.NOT_FIRST;
        }
    }

    private static boolean isUnmarked(SQLException e) {
        return SqlStates.NULL_VALUE.equals(e.getSQLState())
                && String.valueOf(e.getMessage()).contains(UNMARKED);
    }

    /** Excludes deferred constraints of the caller, which are checked only at the commit. */
    private static boolean isOfTheRecord(SQLException e) {
        return String.valueOf(e.getMessage()).contains("semel_slot");
    }

    /** The statements that write a record: an insert, which costs least, or the replacement of an expired slot. */
    private record Records(SqlStatement insert, SqlStatement replace, boolean marked) {

        static Records of(String end, boolean marked) {
            String since = marked ? MARKED : "$now";
            return new Records(
                    new SqlStatement(SqlDialect.POSTGRESQL, INSERT.replace("$since", since) + end),
                    new SqlStatement(SqlDialect.POSTGRESQL, RECORD.replace("$since", since) + end),
                    marked);
        }

        void write(Connection connection, Grant grant, Settlement.Complete done) throws SQLException {
            ClaimParameters claiming = grant.claiming();
            long retention = SqlValues.micros(done.retention().retention());
            long remembrance = SqlValues.micros(done.retention().remembrance());
            if (grant.observed().isNothing() && retention != SqlValues.FOREVER && remembrance != SqlValues.FOREVER) {
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
                        grant.observed().fence(),
                        grant.observed().until(),
                        grant.observed().holder());
            }
        }

        private void write(
                SqlStatement statement, Connection connection, ClaimParameters claiming, @Nullable Object... rest)
                throws SQLException {
            List<@Nullable Object> all = new ArrayList<>();
            all.add(claiming.id());
            all.add(claiming.print());
            // The mark's placeholder precedes all others that differ.
            if (marked) {
                all.add(mark(claiming));
            }
            all.addAll(Arrays.asList(rest));
            statement.update(connection, all.toArray());
        }
    }
}
