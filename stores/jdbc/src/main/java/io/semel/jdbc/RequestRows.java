// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Fingerprint;
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
 * The statements about the requests of a session. They look before they lock, because where a row is missing some databases lock all
 * that could be in its place, which is where the rows of other sessions go.
 */
final class RequestRows {

    private static final byte[] NO_PRINT = new byte[16];

    private final Dialect dialect;
    private final Statement look;
    private final Statement lock;
    private final Statement lockNow;
    private final InsertIfAbsent insert;
    private final Statement update;
    private final Statement renew;
    private final Statement end;
    private final Statement hear;
    private final Statement ends;
    private final Statement awaitEnds;
    private final Statement lastDone;
    private final Statement below;
    private final Statement delete;
    private final Statement deleteAll;

    RequestRows(Dialect dialect) {
        this.dialect = dialect;
        String one =
                "SELECT print, fence, abandoned, holder, until, result FROM semel_request WHERE session = ? AND number = ?";
        this.look = new Statement(dialect, one);
        this.lock = new Statement(dialect, one + " FOR UPDATE SKIP LOCKED");
        this.lockNow = new Statement(dialect, one + " FOR UPDATE");
        this.insert = InsertIfAbsent.of(dialect, """
                INSERT INTO semel_request (print, fence, abandoned, holder, until, result, session, number)
                VALUES (?, ?, ?, ?, ?, NULL, ?, ?)""");
        String here = " WHERE session = ? AND number = ?";
        this.update = new Statement(
                dialect,
                "UPDATE semel_request SET print = ?, fence = ?, abandoned = ?, holder = ?, until = ?, result = NULL"
                        + here);
        this.renew = new Statement(dialect, "UPDATE semel_request SET until = $now + ?" + here);
        this.end =
                new Statement(dialect, "UPDATE semel_request SET holder = NULL, until = $now + ?, result = ?" + here);
        this.hear = new Statement(
                dialect, "UPDATE semel_request SET until = GREATEST(until, $now + ?) WHERE session = ? AND number = 0");
        String all = "SELECT until FROM semel_request WHERE session = ?";
        this.ends = new Statement(dialect, all);
        this.awaitEnds = new Statement(dialect, all + " FOR UPDATE");
        this.lastDone = new Statement(
                dialect, "SELECT MAX(number) AS done FROM semel_request WHERE session = ? AND result IS NOT NULL");
        String dropped = "session = ? AND number > 0 AND number < ? AND (holder IS NULL OR until <= ?)";
        this.below = new Statement(dialect, "SELECT number FROM semel_request WHERE " + dropped);
        this.delete = new Statement(dialect, "DELETE FROM semel_request WHERE " + dropped + " AND number = ?");
        this.deleteAll = new Statement(dialect, "DELETE FROM semel_request WHERE session = ?");
    }

    private Object id(SessionKey key) {
        return dialect.binary16(io.semel.Key.of(key.scope(), key.id()).hash());
    }

    /** The row in which the client says that it is there, while its session is at work. */
    void begin(Connection connection, Object session) throws SQLException {
        insert.into(connection, dialect.binary16(NO_PRINT), 0L, 0, null, 0L, session, 0L);
    }

    void hear(Connection connection, Object session, SessionState state) throws SQLException {
        hear.update(connection, Row.micros(state.session().lease()), session);
    }

    /** What is known of a number, by whoever has its session. */
    Found find(Connection connection, RequestKey asked) throws SQLException {
        return look(connection, asked).isPresent() ? await(connection, asked) : Found.NOTHING;
    }

    Optional<Found> look(Connection connection, RequestKey asked) throws SQLException {
        return look.first(connection, RequestRows::found, id(asked.session()), asked.number());
    }

    Found await(Connection connection, RequestKey asked) throws SQLException {
        return lockNow.first(connection, RequestRows::found, id(asked.session()), asked.number())
                .orElse(Found.NOTHING);
    }

    /** Empty if there is none, or somebody else has it. */
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
            Claims.Claiming.token(String.valueOf(is.holder())),
            is.until() / SessionRows.NANOS,
            id(asked.session()),
            asked.number()
        };
        return was.exists ? update.update(connection, values) == 1 : insert.into(connection, values);
    }

    /** Of a request that is locked; where nothing is kept of it, its client still has the time of a lease to send it again. */
    void settle(Connection connection, RequestKey asked, SessionState session, Settlement settlement)
            throws SQLException {
        Object id = id(asked.session());
        if (settlement instanceof Settlement.Renew more) {
            renew.update(connection, Row.micros(more.lease()), id, asked.number());
            return;
        }
        boolean kept = settlement instanceof Settlement.Complete && asked.number() >= session.mark();
        byte[] result = kept ? ((Settlement.Complete) settlement).result() : null;
        end.update(connection, Row.micros(session.session().lease()), result, id, asked.number());
    }

    /** Until when the session lives because of its requests. */
    long latestEnd(Connection connection, Object session) throws SQLException {
        return latest(ends, connection, session);
    }

    /** The same after whoever changes one of them at this moment has done so. */
    long awaitLatestEnd(Connection connection, Object session) throws SQLException {
        return latest(awaitEnds, connection, session);
    }

    private static long latest(Statement statement, Connection connection, Object session) throws SQLException {
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
                Fingerprint.ofDigest(Row.binary16(row, "print")),
                row.getLong("fence"),
                row.getInt("abandoned") == 1,
                holder == null ? null : new String(holder, StandardCharsets.US_ASCII),
                row.getLong("until") * SessionRows.NANOS,
                result);
        return new Found(state, true);
    }

    /** What is known of a number, and whether it has a row, which it keeps for a while when nothing more is known. */
    record Found(@Nullable RequestState state, boolean exists) {

        static final Found NOTHING = new Found(null, false);

        boolean isHeldBy(String holder, long fence) {
            return state != null && holder.equals(state.holder()) && state.fence() == fence;
        }
    }
}
