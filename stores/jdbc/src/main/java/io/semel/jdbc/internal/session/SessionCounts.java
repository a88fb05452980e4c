// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.Fingerprint;
import io.semel.jdbc.internal.slot.SlotCounts;
import io.semel.jdbc.internal.sql.InsertIfAbsent;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.session.SessionStore.Counts;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Counts sessions: those of each scope in one row, and all of them in a few rows (shards), so that registrations of
 * different scopes rarely wait for each other. Counts change in the same transaction as the sessions.
 */
public final class SessionCounts {

    private static final int SHARDS = 8;

    private final SqlDialect dialect;
    private final SqlStatement take;
    private final InsertIfAbsent add;
    private final SqlStatement change;
    private final SqlStatement forget;
    private final SqlStatement ended;
    private final SqlStatement count;
    private final SqlStatement sample;

    public SessionCounts(SqlDialect dialect) {
        this.dialect = dialect;
        this.take =
                new SqlStatement(dialect, "UPDATE semel_session_count SET live = live + 1 WHERE id = ? AND live < ?");
        this.add = InsertIfAbsent.of(dialect, "INSERT INTO semel_session_count (id, live, ended) VALUES (?, 0, 0)");
        this.change = new SqlStatement(
                dialect, "UPDATE semel_session_count SET live = live + ?, ended = ended + ? WHERE id = ?");
        this.forget =
                new SqlStatement(dialect, "DELETE FROM semel_session_count WHERE id = ? AND live <= 0 AND ended <= 0");
        String shards = "(SELECT COALESCE(SUM($of), 0) FROM semel_session_count WHERE id IN ($shards))"
                .replace("$shards", String.join(", ", Collections.nCopies(SHARDS, "?")));
        this.ended = new SqlStatement(
                dialect, "SELECT ended FROM (SELECT " + shards.replace("$of", "ended") + " AS ended) sums");
        // Sessions that have ended but are not purged yet are found by an index and subtracted.
        String over = " FROM semel_session s $join WHERE (s.expired = 1 OR (s.expired = 0 AND s.look <= $now AND "
                + SessionRows.END + " <= $now))";
        String requests = "(r.holder IS NOT NULL OR r.result IS NOT NULL)";
        this.count = new SqlStatement(
                dialect,
                "SELECT " + shards.replace("$of", "live") + " AS live, (SELECT COUNT(*)" + over.replace("$join", "")
                        + ") AS over_, (SELECT COUNT(*)"
                        + over.replace("$join", "JOIN semel_request r ON r.session = s.id") + " AND " + requests
                        + ") AS requests");
        this.sample = new SqlStatement(dialect, """
                SELECT COUNT(*) AS seen, COUNT(DISTINCT session) AS sessions, COALESCE(SUM(used), 0) AS used
                FROM (SELECT session, CASE WHEN $requests THEN 1 ELSE 0 END AS used FROM semel_request r
                      ORDER BY session, number LIMIT ?) sampled
                """.replace("$requests", requests));
    }

    static int anyShard() {
        return ThreadLocalRandom.current().nextInt(SHARDS);
    }

    /** Takes a place in a scope; false if the scope is full. */
    boolean takeOfScope(Connection connection, String scope, int most) throws SQLException {
        return take(connection, ofScope(scope), most);
    }

    /** Takes a place in a shard, preferably this one; returns the shard, or -1 if all are full. */
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

    /** The number of sessions remembered as expired. */
    long ended(Connection connection) throws SQLException {
        return ended.first(connection, row -> row.getLong("ended"), shards()).orElseThrow();
    }

    public Counts count(Connection connection) throws SQLException {
        long ended = ended(connection);
        Sample some = sample.first(connection, Sample::of, SlotCounts.SAMPLE).orElseThrow();
        return count.first(
                        connection,
                        row -> new Counts(
                                row.getLong("live") - row.getLong("over_"),
                                Math.max(0, some.requests(row.getLong("live")) - row.getLong("requests")),
                                ended),
                        shards())
                .orElseThrow();
    }

    /** The requests of the sessions with the smallest ids, which are hashes and therefore a random sample. */
    private record Sample(long seen, long sessions, long used) {

        static Sample of(ResultSet row) throws SQLException {
            return new Sample(row.getLong("seen"), row.getLong("sessions"), row.getLong("used"));
        }

        /** The exact number, or an estimate for so many live sessions if the table is larger than the sample. */
        long requests(long live) {
            return seen < SlotCounts.SAMPLE ? used : Math.round((double) used * live / sessions);
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
