// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.Fingerprint;
import io.semel.jdbc.internal.sql.InsertIfAbsent;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.session.RequestKey;
import io.semel.session.RequestState;
import io.semel.session.SessionKey;
import io.semel.session.SessionState;
import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The statements about the requests of a session. They read before they lock, because some databases lock the gap
 * around a missing row, and the rows of other sessions go into that gap.
 */
public final class RequestRows {

    private static final byte[] NO_PRINT = new byte[16];

    private final SqlDialect dialect;
    private final SqlStatement look;
    private final SqlStatement lock;
    private final SqlStatement lockNow;
    private final InsertIfAbsent insert;
    private final SqlStatement update;
    private final SqlStatement renew;
    private final SqlStatement end;
    private final SqlStatement heartbeat;
    private final SqlStatement ends;
    private final SqlStatement awaitEnds;
    private final SqlStatement lastDone;
    private final SqlStatement below;
    private final SqlStatement delete;
    private final SqlStatement deleteAll;

    public RequestRows(SqlDialect dialect) {
        this.dialect = dialect;
        String one =
                "SELECT print, fence, abandoned, holder, until, result FROM semel_request WHERE session = ? AND number = ?";
        this.look = new SqlStatement(dialect, one);
        this.lock = new SqlStatement(dialect, one + " FOR UPDATE SKIP LOCKED");
        this.lockNow = new SqlStatement(dialect, one + " FOR UPDATE");
        this.insert = InsertIfAbsent.of(dialect, """
                INSERT INTO semel_request (print, fence, abandoned, holder, until, result, session, number)
                VALUES (?, ?, ?, ?, ?, NULL, ?, ?)""");
        String here = " WHERE session = ? AND number = ?";
        this.update = new SqlStatement(
                dialect,
                "UPDATE semel_request SET print = ?, fence = ?, abandoned = ?, holder = ?, until = ?, result = NULL"
                        + here);
        this.renew = new SqlStatement(dialect, "UPDATE semel_request SET until = $now + ?" + here);
        this.end = new SqlStatement(
                dialect, "UPDATE semel_request SET holder = NULL, until = $now + ?, result = ?" + here);
        this.heartbeat = new SqlStatement(
                dialect, "UPDATE semel_request SET until = GREATEST(until, $now + ?) WHERE session = ? AND number = 0");
        String all = "SELECT until FROM semel_request WHERE session = ?";
        this.ends = new SqlStatement(dialect, all);
        this.awaitEnds = new SqlStatement(dialect, all + " FOR UPDATE");
        this.lastDone = new SqlStatement(
                dialect, "SELECT MAX(number) AS done FROM semel_request WHERE session = ? AND result IS NOT NULL");
        String dropped = "session = ? AND number > 0 AND number < ? AND (holder IS NULL OR until <= ?)";
        this.below = new SqlStatement(dialect, "SELECT number FROM semel_request WHERE " + dropped);
        this.delete = new SqlStatement(dialect, "DELETE FROM semel_request WHERE " + dropped + " AND number = ?");
        this.deleteAll = new SqlStatement(dialect, "DELETE FROM semel_request WHERE session = ?");
    }

    private Object id(SessionKey key) {
        return dialect.binary16(io.semel.Key.of(key.scope(), key.id()).hash());
    }

    /** The row that records the client's heartbeats while a transaction holds the session. */
    void begin(Connection connection, Object session) throws SQLException {
        insert.into(connection, dialect.binary16(NO_PRINT), 0L, 0, null, 0L, session, 0L);
    }

    public void heartbeat(Connection connection, Object session, SessionState state) throws SQLException {
        heartbeat.update(connection, SqlValues.micros(state.session().lease()), session);
    }

    /** The request of a number, for a transaction that holds its session. */
    Found find(Connection connection, RequestKey asked) throws SQLException {
        return look(connection, asked).isPresent() ? await(connection, asked) : Found.NOTHING;
    }

    public Optional<Found> look(Connection connection, RequestKey asked) throws SQLException {
        return look.first(connection, RequestRows::found, id(asked.session()), asked.number());
    }

    Found await(Connection connection, RequestKey asked) throws SQLException {
        return lockNow.first(connection, RequestRows::found, id(asked.session()), asked.number())
                .orElse(Found.NOTHING);
    }

    /** Empty if the row is missing, or locked by another transaction. */
    Optional<Found> lock(Connection connection, RequestKey asked) throws SQLException {
        return lock.first(connection, RequestRows::found, id(asked.session()), asked.number());
    }

    /** False if there is a row after all, which this transaction began too early to see. */
    boolean apply(Connection connection, RequestKey asked, Found was, @Nullable RequestState is) throws SQLException {
        if (is == null || is.equals(was.state)) {
            return true;
        }
        Object[] values = {
            dialect.binary16(is.print().toBytes()),
            is.fence(),
            is.abandoned() ? 1 : 0,
            SqlValues.holder(String.valueOf(is.holder())),
            is.until() / SessionRows.NANOS,
            id(asked.session()),
            asked.number()
        };
        return was.exists ? update.update(connection, values) == 1 : insert.into(connection, values);
    }

    /** For a locked request; if its result is not kept, its client still has the time of a lease to send it again. */
    void settle(Connection connection, RequestKey asked, SessionState session, Settlement settlement)
            throws SQLException {
        Object id = id(asked.session());
        if (settlement instanceof Settlement.Renew more) {
            renew.update(connection, SqlValues.micros(more.lease()), id, asked.number());
            return;
        }
        boolean kept = settlement instanceof Settlement.Complete && asked.number() >= session.mark();
        byte[] result = kept ? ((Settlement.Complete) settlement).result() : null;
        end.update(connection, SqlValues.micros(session.session().lease()), result, id, asked.number());
    }

    /** The end of the session's life as far as its requests extend it. */
    long latestEnd(Connection connection, Object session) throws SQLException {
        return latest(ends, connection, session);
    }

    /** The same after waiting for transactions that are changing one of the requests. */
    long awaitLatestEnd(Connection connection, Object session) throws SQLException {
        return latest(awaitEnds, connection, session);
    }

    private static long latest(SqlStatement statement, Connection connection, Object session) throws SQLException {
        return statement.query(connection, row -> row.getLong("until"), session).stream()
                        .mapToLong(each -> each)
                        .max()
                        .orElse(0)
                * SessionRows.NANOS;
    }

    long lastDone(Connection connection, Object session) throws SQLException {
        return lastDone.first(connection, row -> row.getLong("done"), session).orElse(0L);
    }

    void dropBelow(Connection connection, Object session, long mark, long now) throws SQLException {
        List<Long> numbers = below.query(connection, row -> row.getLong("number"), session, mark, now);
        delete.updateAll(
                connection,
                numbers.stream()
                        .map(number -> new Object[] {session, mark, now, number})
                        .toList());
    }

    void deleteAll(Connection connection, Object session) throws SQLException {
        deleteAll.update(connection, session);
    }

    void deleteAll(Connection connection, List<Object[]> sessions) throws SQLException {
        deleteAll.updateAll(connection, sessions);
    }

    private static Found found(ResultSet row) throws SQLException {
        byte[] holder = row.getBytes("holder");
        byte[] result = row.getBytes("result");
        if (holder == null && result == null) {
            return new Found(null, true);
        }
        RequestState state = new RequestState(
                Fingerprint.ofDigest(SqlValues.binary16(row, "print")),
                row.getLong("fence"),
                row.getInt("abandoned") == 1,
                holder == null ? null : new String(holder, StandardCharsets.US_ASCII),
                row.getLong("until") * SessionRows.NANOS,
                result);
        return new Found(state, true);
    }

    /** The state of a number, and whether it has a row; a row remains for a while after its state is dropped. */
    public record Found(@Nullable RequestState state, boolean exists) {

        static final Found NOTHING = new Found(null, false);

        boolean isHeldBy(String holder, long fence) {
            return state != null && holder.equals(state.holder()) && state.fence() == fence;
        }
    }
}
