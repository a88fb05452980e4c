// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Fingerprint;
import io.semel.session.RequestState;
import io.semel.session.Ruling;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements about one session and one of its requests, in a transaction that has the session to itself. */
final class SessionRows {

    private static final int NANOS = 1000;

    private final Dialect dialect;
    private final Statement lock;
    private final Statement insert;
    private final Statement update;
    private final Statement expire;
    private final Statement delete;
    private final Statement request;
    private final Statement insertRequest;
    private final Statement updateRequest;
    private final Statement deleteRequest;
    private final Statement deleteRequests;
    private final Statement dropBelow;

    SessionRows(Dialect dialect) {
        this.dialect = dialect;
        this.lock = new Statement(dialect, """
                SELECT ordered, span, lease, mark, done, fences, $end AS until, expired, $now AS now
                FROM semel_session s WHERE id = ? FOR UPDATE
                """.replace("$end", dialect.sessionEnd()));
        this.insert = new Statement(dialect, """
                INSERT INTO semel_session (id, ordered, span, lease, mark, done, fences, until, expired, scope, name)
                VALUES (?, ?, ?, ?, 1, 0, 0, $now + ?, 0, ?, ?)
                """);
        this.update = new Statement(
                dialect, "UPDATE semel_session SET mark = ?, done = ?, fences = ?, until = ? WHERE id = ?");
        this.expire = new Statement(dialect, "UPDATE semel_session SET expired = 1 WHERE id = ?");
        this.delete = new Statement(dialect, "DELETE FROM semel_session WHERE id = ?");
        // Locked as well, because that reads what is there now, also in a transaction that goes on seeing the past.
        this.request = new Statement(dialect, """
                SELECT print, fence, abandoned, holder, until, result
                FROM semel_request WHERE session = ? AND number = ? FOR UPDATE
                """);
        this.insertRequest = new Statement(dialect, """
                INSERT INTO semel_request (print, fence, abandoned, holder, until, result, session, number)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """);
        this.updateRequest = new Statement(dialect, """
                UPDATE semel_request SET print = ?, fence = ?, abandoned = ?, holder = ?, until = ?, result = ?
                WHERE session = ? AND number = ?
                """);
        this.deleteRequest = new Statement(dialect, "DELETE FROM semel_request WHERE session = ? AND number = ?");
        this.deleteRequests = new Statement(dialect, "DELETE FROM semel_request WHERE session = ?");
        this.dropBelow = new Statement(
                dialect,
                "DELETE FROM semel_request WHERE session = ? AND number < ? AND (holder IS NULL OR until <= ?)");
    }

    Object id(SessionKey key) {
        return dialect.binary16(io.semel.Key.of(key.scope(), key.id()).hash());
    }

    /** Waits for whoever else is at this session; empty if there is none. */
    Optional<Locked> lock(Connection connection, SessionKey key) throws SQLException {
        return lock.first(connection, row -> locked(key, row), id(key));
    }

    private static Locked locked(SessionKey key, ResultSet row) throws SQLException {
        Session session = new Session(
                key,
                row.getInt("ordered") == 1 ? Session.Mode.STRICT : Session.Mode.SET,
                row.getInt("span"),
                Duration.of(row.getLong("lease"), ChronoUnit.MICROS));
        SessionState state = new SessionState(
                session, row.getLong("mark"), row.getLong("done"), row.getLong("fences"), row.getLong("until") * NANOS);
        return new Locked(state, row.getInt("expired") == 1, row.getLong("now") * NANOS);
    }

    void insert(Connection connection, Session session) throws SQLException {
        long lease = Row.micros(session.lease());
        insert.update(
                connection,
                id(session.key()),
                session.mode() == Session.Mode.STRICT ? 1 : 0,
                session.window(),
                lease,
                lease,
                session.key().scope().getBytes(StandardCharsets.UTF_8),
                session.key().id().getBytes(StandardCharsets.UTF_8));
    }

    /** What is noticed to have expired is noted, so that a clock that is set back cannot wake it. */
    boolean live(Connection connection, Locked session) throws SQLException {
        if (!session.isLive() && !session.expired()) {
            expire(connection, id(session.state().session().key()));
        }
        return session.isLive();
    }

    void expire(Connection connection, Object id) throws SQLException {
        expire.update(connection, id);
        deleteRequests.update(connection, id);
    }

    void delete(Connection connection, Object id) throws SQLException {
        deleteRequests.update(connection, id);
        delete.update(connection, id);
    }

    @Nullable
    RequestState request(Connection connection, SessionKey key, long number) throws SQLException {
        return request.first(connection, SessionRows::request, id(key), number).orElse(null);
    }

    private static RequestState request(ResultSet row) throws SQLException {
        byte[] holder = row.getBytes("holder");
        return new RequestState(
                Fingerprint.ofDigest(Row.binary16(row, "print")),
                row.getLong("fence"),
                row.getInt("abandoned") == 1,
                holder == null ? null : new String(holder, StandardCharsets.US_ASCII),
                row.getLong("until") * NANOS,
                row.getBytes("result"));
    }

    void apply(Connection connection, Locked before, @Nullable RequestState was, long number, Ruling ruling)
            throws SQLException {
        Object id = id(before.state.session().key());
        RequestState is = ruling.request();
        if (is != null && !is.equals(was)) {
            write(connection, was == null ? insertRequest : updateRequest, is, id, number);
        } else if (is == null && was != null) {
            deleteRequest.update(connection, id, number);
        }
        become(connection, before, ruling.session());
    }

    void become(Connection connection, Locked before, SessionState next) throws SQLException {
        Object id = id(next.session().key());
        if (next.mark() > before.state.mark()) {
            dropBelow.update(connection, id, next.mark(), before.now / NANOS);
        }
        if (!next.equals(before.state)) {
            update.update(connection, next.mark(), next.lastDone(), next.fences(), next.until() / NANOS, id);
        }
    }

    private void write(Connection connection, Statement statement, RequestState request, Object id, long number)
            throws SQLException {
        String holder = request.holder();
        statement.update(
                connection,
                dialect.binary16(request.print().toBytes()),
                request.fence(),
                request.abandoned() ? 1 : 0,
                holder == null ? null : Claims.Claiming.token(holder),
                request.until() / NANOS,
                request.result(),
                id,
                number);
    }

    /** A session, and the server's time when it was read. */
    record Locked(SessionState state, boolean expired, long now) {

        boolean isLive() {
            return !expired && !state.isExpired(now);
        }
    }
}
