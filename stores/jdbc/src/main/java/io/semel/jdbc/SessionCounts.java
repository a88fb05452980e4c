// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Fingerprint;
import io.semel.session.SessionStore.Counts;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How many sessions there are: of each scope in a row, and of all in a few rows, the shards, so that registrations of different
 * scopes rarely wait for each other. Rows are changed together with what they count.
 */
final class SessionCounts {

    private static final int SHARDS = 8;

    private final Dialect dialect;
    private final Statement take;
    private final InsertIfAbsent add;
    private final Statement change;
    private final Statement forget;
    private final Statement ended;
    private final Statement count;
    private final Statement sample;

    SessionCounts(Dialect dialect) {
        this.dialect = dialect;
        this.take = new Statement(dialect, "UPDATE semel_session_count SET live = live + 1 WHERE id = ? AND live < ?");
        this.add = InsertIfAbsent.of(dialect, "INSERT INTO semel_session_count (id, live, ended) VALUES (?, 0, 0)");
        this.change = new Statement(
                dialect, "UPDATE semel_session_count SET live = live + ?, ended = ended + ? WHERE id = ?");
        this.forget =
                new Statement(dialect, "DELETE FROM semel_session_count WHERE id = ? AND live <= 0 AND ended <= 0");
        String shards = "(SELECT COALESCE(SUM($of), 0) FROM semel_session_count WHERE id IN ($shards))"
                .replace("$shards", String.join(", ", Collections.nCopies(SHARDS, "?")));
        this.ended = new Statement(
                dialect, "SELECT ended FROM (SELECT " + shards.replace("$of", "ended") + " AS ended) sums");
        // What has ended and was not purged yet is found by an index, and left out.
        String over = " FROM semel_session s $join WHERE (s.expired = 1 OR (s.expired = 0 AND s.look <= $now AND "
                + SessionRows.END + " <= $now))";
        String requests = "(r.holder IS NOT NULL OR r.result IS NOT NULL)";
        this.count = new Statement(
                dialect,
                "SELECT " + shards.replace("$of", "live") + " AS live, (SELECT COUNT(*)" + over.replace("$join", "")
                        + ") AS over_, (SELECT COUNT(*)"
                        + over.replace("$join", "JOIN semel_request r ON r.session = s.id") + " AND " + requests
                        + ") AS requests");
        this.sample = new Statement(dialect, """
                SELECT COUNT(*) AS seen, COUNT(DISTINCT session) AS sessions, COALESCE(SUM(used), 0) AS used
                FROM (SELECT session, CASE WHEN $requests THEN 1 ELSE 0 END AS used FROM semel_request r
                      ORDER BY session, number LIMIT ?) sampled
                """.replace("$requests", requests));
    }

    static int anyShard() {
        return ThreadLocalRandom.current().nextInt(SHARDS);
    }

    /** Takes the next place of a scope; false if it has none. */
    boolean takeOfScope(Connection connection, String scope, int most) throws SQLException {
        return take(connection, ofScope(scope), most);
    }

    /** Takes a place in one of the shards, this one if there is any; which, or -1 if all are full. */
    int takeOfAll(Connection connection, int first, int most) throws SQLException {
        for (int i = 0; i < SHARDS; i++) {
            int shard = (first + i) % SHARDS;
            long room = ((long) most + SHARDS - 1 - shard) / SHARDS;
            if (room > 0 && take(connection, ofShard(shard), room)) {
                return shard;
            }
        }
        return -1;
    }

    private boolean take(Connection connection, Object id, long most) throws SQLException {
        return take.update(connection, id, most) == 1
                || (add.into(connection, id) && take.update(connection, id, most) == 1);
    }

    void changeScope(Connection connection, Object scope, long live) throws SQLException {
        change.update(connection, live, 0L, scope);
        forget.update(connection, scope);
    }

    void changeShard(Connection connection, int shard, long live, long ended) throws SQLException {
        change.update(connection, live, ended, ofShard(shard));
    }

    /** How many sessions are remembered as expired. */
    long ended(Connection connection) throws SQLException {
        return ended.first(connection, row -> row.getLong("ended"), shards()).orElseThrow();
    }

    Counts count(Connection connection) throws SQLException {
        long ended = ended(connection);
        Sample some = sample.first(connection, Sample::of, Counting.SAMPLE).orElseThrow();
        return count.first(
                        connection,
                        row -> new Counts(
                                row.getLong("live") - row.getLong("over_"),
                                Math.max(0, some.requests(row.getLong("live")) - row.getLong("requests")),
                                ended),
                        shards())
                .orElseThrow();
    }

    /** Of the sessions with the smallest ids, which are hashes, so that these are as good as any: how many requests they have. */
    private record Sample(long seen, long sessions, long used) {

        static Sample of(ResultSet row) throws SQLException {
            return new Sample(row.getLong("seen"), row.getLong("sessions"), row.getLong("used"));
        }

        /** All that there are or, where there are more, about as many as so many sessions have. */
        long requests(long live) {
            return seen < Counting.SAMPLE ? used : Math.round((double) used * live / sessions);
        }
    }

    private Object[] shards() {
        Object[] all = new Object[SHARDS];
        for (int i = 0; i < SHARDS; i++) {
            all[i] = ofShard(i);
        }
        return all;
    }

    Object ofScope(String scope) {
        return dialect.binary16(Fingerprint.of("scope", scope).toBytes());
    }

    private Object ofShard(int shard) {
        return dialect.binary16(ByteBuffer.allocate(16).putInt(12, shard).array());
    }
}
