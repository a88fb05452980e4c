// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.Key;
import io.semel.jdbc.internal.sql.InsertIfAbsent;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlValues;
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

/** The statements about the row of one session; none of them waits for a lock. */
public final class SessionRows {

    /** When the session {@code s} expires; its requests extend its life without changing its own row. */
    static final String END =
            "GREATEST(s.until, COALESCE((SELECT MAX(q.until) FROM semel_request q WHERE q.session = s.id), 0))";

    static final int NANOS = 1000;

    private final SqlDialect dialect;
    private final RequestRows requests;
    private final SqlStatement lock;
    private final SqlStatement read;
    private final InsertIfAbsent insert;
    private final SqlStatement update;
    private final SqlStatement expire;
    private final SqlStatement delete;
    private final SqlStatement place;
    private final SqlStatement shard;

    public SessionRows(SqlDialect dialect, RequestRows requests) {
        this.dialect = dialect;
        this.requests = requests;
        String columns = "SELECT ordered, span, lease, mark, fences, expired, $now AS now, ";
        this.lock = new SqlStatement(
                dialect, columns + "until AS ends FROM semel_session s WHERE id = ? FOR UPDATE SKIP LOCKED");
        this.read = new SqlStatement(dialect, columns + END + " AS ends FROM semel_session s WHERE id = ?");
        this.insert = InsertIfAbsent.of(dialect, """
                INSERT INTO semel_session (id, ordered, span, lease, mark, fences, until, expired, look, shard, scope, name)
                VALUES (?, ?, ?, ?, 1, 0, $now + ?, 0, $now + ?, ?, ?, ?)""");
        this.update =
                new SqlStatement(dialect, "UPDATE semel_session SET mark = ?, fences = ?, until = ? WHERE id = ?");
        this.expire = new SqlStatement(dialect, "UPDATE semel_session SET expired = 1 WHERE id = ?");
        this.delete = new SqlStatement(dialect, "DELETE FROM semel_session WHERE id = ?");
        this.place = new SqlStatement(dialect, "UPDATE semel_session SET shard = ? WHERE id = ?");
        this.shard = new SqlStatement(dialect, "SELECT shard FROM semel_session WHERE id = ? FOR UPDATE");
    }

    public Object id(SessionKey key) {
        return dialect.binary16(Key.of(key.scope(), key.id()).hash());
    }

    /**
     * Locks the session until the end of the transaction; empty if there is none or another transaction has locked it.
     */
    public Optional<Locked> lock(Connection connection, SessionKey key) throws SQLException {
        Object id = id(key);
        Optional<Locked> had = lock.first(connection, row -> locked(key, row), id);
        if (had.isEmpty() || had.get().state().session().mode() == Session.Mode.SET) {
            return had;
        }
        return Optional.of(had.get().done(requests.lastDone(connection, id)));
    }

    /** The session as it is now, locked or not. */
    public Optional<Locked> read(Connection connection, SessionKey key) throws SQLException {
        return read.first(connection, row -> locked(key, row), id(key));
    }

    public boolean isKnown(Connection connection, SessionKey key) throws SQLException {
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

    /** False if the name is taken. */
    boolean insert(Connection connection, Session session, int shard) throws SQLException {
        long lease = SqlValues.micros(session.lease());
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

    /** Records a noticed expiry, so that a clock that is set back cannot revive the session. */
    public boolean live(Connection connection, Locked session) throws SQLException {
        if (session.expired() || !session.isOver()) {
            return !session.expired();
        }
        Object id = id(session.state().session().key());
        // First without a lock, so as not to block renewals of running requests; then with a lock, so that none is
        // missed.
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

    /** For a locked session. */
    int shard(Connection connection, Object id) throws SQLException {
        return shard.first(connection, row -> row.getInt("shard"), id).orElseThrow();
    }

    void delete(Connection connection, Object id) throws SQLException {
        requests.deleteAll(connection, id);
        delete.update(connection, id);
    }

    public void become(Connection connection, Locked before, SessionState next) throws SQLException {
        Object id = id(next.session().key());
        if (next.mark() > before.state.mark()) {
            requests.dropBelow(connection, id, next.mark(), before.now / NANOS);
        }
        if (!next.equals(before.state)) {
            update.update(connection, next.mark(), next.fences(), next.until() / NANOS, id);
        }
    }

    /** A session, and the server's time at which it was read. */
    public record Locked(SessionState state, boolean expired, long now) {

        boolean isOver() {
            return state.isExpired(now);
        }

        public boolean isLive() {
            return !expired && !isOver();
        }

        Locked done(long lastDone) {
            SessionState known =
                    new SessionState(state.session(), state.mark(), lastDone, state.fences(), state.until());
            return new Locked(known, expired, now);
        }
    }
}
