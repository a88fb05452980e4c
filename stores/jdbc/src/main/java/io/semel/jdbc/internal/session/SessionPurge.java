// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.session.SessionState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Ends expired sessions and deletes those that ended long ago; locked sessions are left for the next run. */
public final class SessionPurge {

    static final int MOST_TOGETHER = 200;

    private final RequestRows requests;
    private final SessionCounts counts;
    private final int most;
    private final SqlStatement noticed;
    private final SqlStatement due;
    private final SqlStatement again;
    private final SqlStatement end;
    private final SqlStatement delete;
    private final SqlStatement over;
    private final SqlStatement oldest;

    public SessionPurge(SqlDialect dialect, RequestRows requests, SessionCounts counts, int most) {
        this.requests = requests;
        this.counts = counts;
        this.most = most;
        String some = "SELECT id, scope, shard, lease, until, expired, $now AS now FROM semel_session WHERE $which"
                + " ORDER BY look LIMIT ? FOR UPDATE SKIP LOCKED";
        this.noticed = new SqlStatement(dialect, some.replace("$which", "expired = 1"));
        this.due = new SqlStatement(dialect, some.replace("$which", "expired = 0 AND look <= $now"));
        this.over = new SqlStatement(dialect, some.replace("$which", "expired = 2 AND look <= $now"));
        this.oldest = new SqlStatement(dialect, some.replace("$which", "expired = 2"));
        this.again = new SqlStatement(dialect, "UPDATE semel_session SET look = ? WHERE id = ?");
        this.end = new SqlStatement(dialect, "UPDATE semel_session SET expired = 2, look = ? WHERE id = ?");
        this.delete = new SqlStatement(dialect, "DELETE FROM semel_session WHERE id = ?");
    }

    /** Does one transaction's work; returns how many sessions ended or were deleted, and whether there may be more. */
    public Purged purge(Connection connection, int limit) throws SQLException {
        int some = Math.min(limit, MOST_TOGETHER);
        List<Known> seen = noticed.query(connection, Known::of, some);
        if (seen.size() < some) {
            seen.addAll(due.query(connection, Known::of, some - seen.size()));
        }
        List<Known> ended = new ArrayList<>();
        for (Known each : seen) {
            Known latest = each.until(requests.awaitLatestEnd(connection, each.id) / SessionRows.NANOS);
            if (latest.isOver()) {
                ended.add(latest);
            } else {
                again.update(connection, latest.until, latest.id);
            }
        }
        end(connection, ended);
        int forgotten = seen.size() < some ? forget(connection, some - ended.size()) : 0;
        int purged = ended.size() + forgotten;
        return new Purged(purged, seen.size() == some || forgotten == some - ended.size());
    }

    private void end(Connection connection, List<Known> ended) throws SQLException {
        requests.deleteAll(connection, ids(ended));
        List<Known> kept = ended.stream().filter(each -> !each.isForgotten()).toList();
        end.updateAll(
                connection,
                kept.stream()
                        .map(each -> new Object[] {each.forgotten(), each.id})
                        .toList());
        delete.updateAll(
                connection, ids(ended.stream().filter(Known::isForgotten).toList()));
        Map<String, Integer> scopes = new HashMap<>();
        Map<Integer, int[]> shards = new TreeMap<>();
        for (Known each : ended) {
            scopes.merge(each.scope, 1, Integer::sum);
            int[] changes = shards.computeIfAbsent(each.shard, any -> new int[2]);
            changes[0]--;
            changes[1] += each.isForgotten() ? 0 : 1;
        }
        // In one order, so that two purges cannot deadlock.
        for (Map.Entry<String, Integer> each : new TreeMap<>(scopes).entrySet()) {
            counts.changeScope(connection, counts.ofScope(each.getKey()), -each.getValue());
        }
        for (Map.Entry<Integer, int[]> each : shards.entrySet()) {
            counts.changeShard(connection, each.getKey(), each.getValue()[0], each.getValue()[1]);
        }
    }

    /** Deletes sessions at the end of their remembrance, and the oldest ones if too many are remembered. */
    private int forget(Connection connection, int limit) throws SQLException {
        List<Known> forgotten = over.query(connection, Known::of, limit);
        long excess = forgotten.size() < limit ? counts.ended(connection) - forgotten.size() - most : 0;
        delete.updateAll(connection, ids(forgotten));
        if (excess > 0) {
            List<Known> more = oldest.query(connection, Known::of, (int) Math.min(excess, limit - forgotten.size()));
            delete.updateAll(connection, ids(more));
            forgotten.addAll(more);
        }
        Map<Integer, Integer> shards = new TreeMap<>();
        forgotten.forEach(each -> shards.merge(each.shard, -1, Integer::sum));
        for (Map.Entry<Integer, Integer> each : shards.entrySet()) {
            counts.changeShard(connection, each.getKey(), 0, each.getValue());
        }
        return forgotten.size();
    }

    private static List<Object[]> ids(Collection<Known> all) {
        return all.stream().map(each -> new Object[] {each.id}).toList();
    }

    /** The work done in one transaction. */
    public record Purged(int count, boolean more) {}

    /** A locked session. */
    private record Known(Object id, String scope, int shard, Duration lease, long until, boolean expired, long now) {

        static Known of(ResultSet row) throws SQLException {
            return new Known(
                    row.getObject("id"),
                    new String(row.getBytes("scope"), StandardCharsets.UTF_8),
                    row.getInt("shard"),
                    Duration.of(row.getLong("lease"), ChronoUnit.MICROS),
                    row.getLong("until"),
                    row.getInt("expired") > 0,
                    row.getLong("now"));
        }

        Known until(long requests) {
            return new Known(id, scope, shard, lease, Math.max(until, requests), expired, now);
        }

        boolean isOver() {
            return expired || until <= now;
        }

        boolean isForgotten() {
            return forgotten() <= now;
        }

        long forgotten() {
            return until + SqlValues.micros(SessionState.remembrance(lease));
        }
    }
}
