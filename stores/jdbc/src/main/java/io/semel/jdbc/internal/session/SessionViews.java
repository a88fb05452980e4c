// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionView;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The statements that show operators the sessions of one scope; none of them waits for a lock. */
public final class SessionViews {

    private final SessionRows rows;
    private final SqlStatement look;
    private final SqlStatement list;

    public SessionViews(SqlDialect dialect, SessionRows rows) {
        this.rows = rows;
        String isLive = " AND expired = 0 AND " + SessionRows.END + " > $now";
        this.look = views(dialect, "id = ?" + isLive);
        this.list = views(dialect, "scope = ?" + isLive + " ORDER BY name LIMIT ?");
    }

    /** Reads sessions and their requests in one statement, so that the view is consistent. */
    private static SqlStatement views(SqlDialect dialect, String which) {
        return new SqlStatement(dialect, """
                SELECT v.scope, v.name, v.ordered, v.span, v.lease, v.mark, v.ends, v.seen,
                    r.number, r.fence, CASE WHEN r.holder IS NULL THEN 1 ELSE 0 END AS done, r.until
                FROM (
                    SELECT id, scope, name, ordered, span, lease, mark, $end AS ends, $now AS seen
                    FROM semel_session s WHERE $which
                ) v LEFT JOIN semel_request r ON r.session = v.id AND (r.holder IS NOT NULL OR r.result IS NOT NULL)
                ORDER BY v.name, r.number
                """.replace("$which", which).replace("$end", SessionRows.END));
    }

    public Optional<SessionView> look(Connection connection, SessionKey key) throws SQLException {
        return joined(look.query(connection, SessionViews::view, rows.id(key))).stream()
                .findFirst();
    }

    public List<SessionView> list(Connection connection, String scope, int limit) throws SQLException {
        return joined(list.query(connection, SessionViews::view, bytes(scope), limit));
    }

    /** A session with one of its requests, or none. */
    private static SessionView view(ResultSet row) throws SQLException {
        Session session = new Session(
                new SessionKey(text(row, "scope"), text(row, "name")),
                row.getInt("ordered") == 1 ? Session.Mode.STRICT : Session.Mode.SET,
                row.getInt("span"),
                micros(row.getLong("lease")));
        long seen = row.getLong("seen");
        long number = row.getLong("number");
        List<SessionView.Request> requests = number == 0
                ? List.of()
                : List.of(SessionView.Request.of(
                        number, row.getLong("fence"), row.getInt("done") == 1, micros(row.getLong("until") - seen)));
        return new SessionView(session, row.getLong("mark"), micros(row.getLong("ends") - seen), requests);
    }

    private static List<SessionView> joined(List<SessionView> parts) {
        Map<Session, List<SessionView>> sessions = parts.stream()
                .collect(Collectors.groupingBy(SessionView::session, LinkedHashMap::new, Collectors.toList()));
        return sessions.values().stream().map(SessionViews::whole).toList();
    }

    private static SessionView whole(List<SessionView> parts) {
        SessionView first = parts.get(0);
        List<SessionView.Request> requests =
                parts.stream().flatMap(part -> part.requests().stream()).toList();
        return new SessionView(first.session(), first.mark(), first.remaining(), requests);
    }

    private static Duration micros(long count) {
        return Duration.of(count, ChronoUnit.MICROS);
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String scope) {
        return scope.getBytes(StandardCharsets.UTF_8);
    }
}
