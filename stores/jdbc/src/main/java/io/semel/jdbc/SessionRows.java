// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
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

/** The statements about the row of one session; none of them waits for anybody. */
final class SessionRows {

    /** When the session {@code s} expires: what its requests say needs no change of its own row. */
    static final String END =
            "GREATEST(s.until, COALESCE((SELECT MAX(q.until) FROM semel_request q WHERE q.session = s.id), 0))";

    static final int NANOS = 1000;

    private final Dialect dialect;
    private final RequestRows requests;
    private final Statement lock;
    private final Statement read;
    private final InsertIfAbsent insert;
    private final Statement update;
    private final Statement expire;
    private final Statement delete;
    private final Statement place;
    private final Statement shard;

    SessionRows(Dialect dialect, RequestRows requests) {
        this.dialect = dialect;
        this.requests = requests;
        String columns = "SELECT ordered, span, lease, mark, fences, expired, $now AS now, ";
        this.lock = new Statement(
                dialect, columns + "until AS ends FROM semel_session s WHERE id = ? FOR UPDATE SKIP LOCKED");
        this.read = new Statement(dialect, columns + END + " AS ends FROM semel_session s WHERE id = ?");
        this.insert = InsertIfAbsent.of(dialect, """
                INSERT INTO semel_session (id, ordered, span, lease, mark, fences, until, expired, look, shard, scope, name)
                VALUES (?, ?, ?, ?, 1, 0, $now + ?, 0, $now + ?, ?, ?, ?)""");
        this.update = new Statement(dialect, "UPDATE semel_session SET mark = ?, fences = ?, until = ? WHERE id = ?");
        this.expire = new Statement(dialect, "UPDATE semel_session SET expired = 1 WHERE id = ?");
        this.delete = new Statement(dialect, "DELETE FROM semel_session WHERE id = ?");
        this.place = new Statement(dialect, "UPDATE semel_session SET shard = ? WHERE id = ?");
        this.shard = new Statement(dialect, "SELECT shard FROM semel_session WHERE id = ? FOR UPDATE");
    }

    Object id(SessionKey key) {
        return dialect.binary16(Key.of(key.scope(), key.id()).hash());
    }

    /** Has the session from here to the end of the transaction; empty if there is none, or somebody else has it. */
    Optional<Locked> lock(Connection connection, SessionKey key) throws SQLException {
        Object id = id(key);
        Optional<Locked> had = lock.first(connection, row -> locked(key, row), id);
        if (had.isEmpty() || had.get().state().session().mode() == Session.Mode.SET) {
            return had;
        }
        return Optional.of(had.get().done(requests.lastDone(connection, id)));
    }

    /** As it is at this moment, whoever has it. */
    Optional<Locked> read(Connection connection, SessionKey key) throws SQLException {
        return read.first(connection, row -> locked(key, row), id(key));
    }

    boolean isKnown(Connection connection, SessionKey key) throws SQLException {
        return read(connection, key).isPresent();
    }

    private static Locked locked(SessionKey key, ResultSet row) throws SQLException {
        Session session = new Session(
                key,
                row.getInt("ordered") == 1 ? Session.Mode.STRICT : Session.Mode.SET,
                row.getInt("span"),
                Duration.of(row.getLong("lease"), ChronoUnit.MICROS));
        SessionState state =
                new SessionState(session, row.getLong("mark"), 0, row.getLong("fences"), row.getLong("ends") * NANOS);
        return new Locked(state, row.getInt("expired") > 0, row.getLong("now") * NANOS);
    }

    /** False if there is one of this name already. */
    boolean insert(Connection connection, Session session, int shard) throws SQLException {
        long lease = Row.micros(session.lease());
        Object id = id(session.key());
        boolean inserted = insert.into(
                connection,
                id,
                session.mode() == Session.Mode.STRICT ? 1 : 0,
                session.window(),
                lease,
                lease,
                lease,
                shard,
                session.key().scope().getBytes(StandardCharsets.UTF_8),
                session.key().id().getBytes(StandardCharsets.UTF_8));
        if (inserted) {
            requests.begin(connection, id);
        }
        return inserted;
    }

    /** What is noticed to have expired is noted, so that a clock that is set back cannot wake it. */
    boolean live(Connection connection, Locked session) throws SQLException {
        if (session.expired() || !session.isOver()) {
            return !session.expired();
        }
        Object id = id(session.state().session().key());
        // Looked at first, because nobody is to be kept from renewing what runs; then waited for, so that none is
        // overlooked.
        boolean runs = requests.latestEnd(connection, id) > session.now()
                || requests.awaitLatestEnd(connection, id) > session.now();
        if (!runs) {
            expire.update(connection, id);
        }
        return runs;
    }

    void noteEnd(Connection connection, SessionKey key) throws SQLException {
        Optional<Locked> had = lock(connection, key);
        if (had.isPresent()) {
            live(connection, had.get());
        }
    }

    void place(Connection connection, Object id, int where) throws SQLException {
        place.update(connection, where, id);
    }

    /** Of a session that is locked. */
    int shard(Connection connection, Object id) throws SQLException {
        return shard.first(connection, row -> row.getInt("shard"), id).orElseThrow();
    }

    void delete(Connection connection, Object id) throws SQLException {
        requests.deleteAll(connection, id);
        delete.update(connection, id);
    }

    void become(Connection connection, Locked before, SessionState next) throws SQLException {
        Object id = id(next.session().key());
        if (next.mark() > before.state.mark()) {
            requests.dropBelow(connection, id, next.mark(), before.now / NANOS);
        }
        if (!next.equals(before.state)) {
            update.update(connection, next.mark(), next.fences(), next.until() / NANOS, id);
        }
    }

    /** A session, and the server's time when it was read. */
    record Locked(SessionState state, boolean expired, long now) {

        boolean isOver() {
            return state.isExpired(now);
        }

        boolean isLive() {
            return !expired && !isOver();
        }

        Locked done(long lastDone) {
            SessionState known =
                    new SessionState(state.session(), state.mark(), lastDone, state.fences(), state.until());
            return new Locked(known, expired, now);
        }
    }
}
