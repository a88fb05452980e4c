// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.session.SessionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The statements about all sessions: how many there are, and which of them are over. */
final class SessionCounts {

    /** How long it is remembered that a session has expired. */
    private static final long REMEMBRANCE = Duration.ofDays(1).toNanos() / 1000;

    private final Statement alone;
    private final Statement live;
    private final Statement count;
    private final Statement over;
    private final Statement expired;

    SessionCounts(Dialect dialect) {
        this.alone = new Statement(dialect, "SELECT version FROM semel_session_layout FOR UPDATE");
        String end = dialect.sessionEnd();
        this.live = new Statement(
                dialect, "SELECT COUNT(*) AS live FROM semel_session s WHERE expired = 0 AND " + end + " > $now");
        this.count = new Statement(dialect, """
                SELECT COUNT(DISTINCT s.id) AS sessions, COUNT(r.number) AS requests
                FROM semel_session s LEFT JOIN semel_request r ON r.session = s.id
                WHERE s.expired = 0 AND $end > $now
                """.replace("$end", end));
        this.over = ids(dialect, end + " <= $now - ?");
        this.expired = ids(dialect, "expired = 0 AND " + end + " <= $now - ?");
    }

    private static Statement ids(Dialect dialect, String condition) {
        return new Statement(
                dialect, "SELECT id FROM semel_session s WHERE " + condition + " ORDER BY id LIMIT ? FOR UPDATE");
    }

    /** From here on nobody else registers a session before this transaction has ended. */
    void alone(Connection connection) throws SQLException {
        alone.query(connection, row -> row.getInt("version"));
    }

    long live(Connection connection) throws SQLException {
        return live.first(connection, row -> row.getLong("live")).orElse(0L);
    }

    SessionStore.Counts count(Connection connection) throws SQLException {
        return count.first(connection, row -> new SessionStore.Counts(row.getLong("sessions"), row.getLong("requests")))
                .orElseThrow();
    }

    int purge(Connection connection, SessionRows rows, int limit) throws SQLException {
        List<Object> forgotten = over.query(connection, row -> row.getObject("id"), REMEMBRANCE, limit);
        for (Object id : forgotten) {
            rows.delete(connection, id);
        }
        List<Object> ended = expired.query(connection, row -> row.getObject("id"), 0L, limit - forgotten.size());
        for (Object id : ended) {
            rows.expire(connection, id);
        }
        return forgotten.size() + ended.size();
    }
}
