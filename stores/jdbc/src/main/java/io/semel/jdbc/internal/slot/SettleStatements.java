// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlStatement.ArrayParameter;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The statements that end or renew a claim, each naming the holder, and those that amend a settled result. */
public final class SettleStatements {

    /** A free slot keeps its fence for a day, so that a clock set back by less makes no fence go backwards (S7). */
    private static final String FENCED = "86400000000";

    private final SqlDialect dialect;
    private final SqlStatement complete;
    private final SqlStatement renew;
    private final SqlStatement release;
    private final SqlStatement amendToResult;
    private final SqlStatement amendToFree;

    /**
     * Selects by an array of ids before the join, because a plan made while the table was small would otherwise scan all of it
     * once it has grown.
     */
    private static final SqlStatement COMPLETE_MANY = new SqlStatement(SqlDialect.POSTGRESQL, """
            UPDATE semel_slot s
            SET holder = NULL, result = g.result, since = $now,
                until = LEAST($now, 9223372036854775807 - g.retention) + g.retention,
                forget = LEAST(LEAST($now, 9223372036854775807 - g.retention) + g.retention,
                               9223372036854775807 - g.remembrance) + g.remembrance
            FROM unnest(?::uuid[], ?::bytea[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[])
                 AS g (id, holder, fence, result, retention, remembrance),
                 set_config('lock_timeout', '100ms', true)
            WHERE s.id = ANY (?::uuid[]) AND s.id = g.id AND s.holder = g.holder AND s.fence = g.fence
            RETURNING s.id
            """);

    /** Skips locked slots, so that one of them does not cost the others their lease. */
    private static final SqlStatement RENEW_MANY = new SqlStatement(SqlDialect.POSTGRESQL, """
            UPDATE semel_slot s
            SET until = $now + g.lease
            FROM unnest(?::uuid[], ?::bytea[], ?::bigint[], ?::bigint[]) AS g (id, holder, fence, lease)
            WHERE s.id = ANY (ARRAY(SELECT id FROM semel_slot WHERE id = ANY (?::uuid[]) FOR UPDATE SKIP LOCKED))
              AND s.id = g.id AND s.holder = g.holder AND s.fence = g.fence
            RETURNING s.id
            """);

    public SettleStatements(SqlDialect dialect) {
        this.dialect = dialect;
        // "Forever" is the largest number; LEAST keeps the sum from overflowing.
        this.complete = new SqlStatement(dialect, dialect.briefly() + """
                UPDATE semel_slot
                SET holder = NULL, result = ?, since = $now,
                    until = LEAST($now, 9223372036854775807 - ?) + ?,
                    forget = LEAST(LEAST($now, 9223372036854775807 - ?) + ?, 9223372036854775807 - ?) + ?
                $briefly WHERE id = ? AND holder = ? AND fence = ?
                """);
        this.renew = new SqlStatement(
                dialect,
                // Never the same value, because some drivers count only rows that change.
                dialect.noWait()
                        + "UPDATE semel_slot SET until = $now + ? + CASE WHEN until = $now + ? THEN 1 ELSE 0 END"
                        + " WHERE id = ? AND holder = ? AND fence = ?");
        this.release = new SqlStatement(dialect, dialect.briefly() + """
                UPDATE semel_slot SET holder = NULL, until = $now + $fenced, forget = 0
                $briefly WHERE id = ? AND holder = ? AND fence = ?
                """.replace("$fenced", FENCED));
        this.amendToResult = new SqlStatement(dialect, """
                UPDATE semel_slot
                SET result = ?, since = $now,
                    until = LEAST($now, 9223372036854775807 - ?) + ?,
                    forget = LEAST(LEAST($now, 9223372036854775807 - ?) + ?, 9223372036854775807 - ?) + ?
                WHERE id = ? AND holder IS NULL AND until > $now AND result = ?
                """);
        this.amendToFree = new SqlStatement(dialect, """
                UPDATE semel_slot SET result = NULL, until = $now + $fenced, forget = 0
                WHERE id = ? AND holder IS NULL AND until > $now AND result = ?
                """.replace("$fenced", FENCED));
    }

    boolean settle(Connection connection, SettleParameters settle) throws SQLException {
        Settlement settlement = settle.settlement();
        Object id = settle.id();
        byte[] holder = settle.holder();
        long fence = settle.fence();
        if (settlement instanceof Settlement.Complete done) {
            return complete.update(connection, completion(done, id, holder, fence)) == 1;
        }
        if (settlement instanceof Settlement.Renew more) {
            long lease = SqlValues.micros(more.lease());
            return dialect.withoutWaiting(connection, it -> renew.update(it, lease, lease, id, holder, fence) == 1);
        }
        return release.update(connection, id, holder, fence) == 1;
    }

    /** Completes different keys in one statement, answered in their order; for databases that accept arrays. */
    static List<Boolean> completeAll(Connection connection, List<SettleParameters> settles) throws SQLException {
        return applied(
                settles,
                COMPLETE_MANY.query(
                        connection,
                        row -> row.getObject(1),
                        ArrayParameter.of("uuid", settles, SettleParameters::id),
                        ArrayParameter.of("bytea", settles, SettleParameters::holder),
                        ArrayParameter.of("bigint", settles, SettleParameters::fence),
                        ArrayParameter.of(
                                "bytea", settles, each -> each.completion().result()),
                        ArrayParameter.of(
                                "bigint",
                                settles,
                                each -> SqlValues.micros(
                                        each.completion().retention().retention())),
                        ArrayParameter.of(
                                "bigint",
                                settles,
                                each -> SqlValues.micros(
                                        each.completion().retention().remembrance())),
                        ArrayParameter.of("uuid", settles, SettleParameters::id)));
    }

    /** The same for renewals. */
    static List<Boolean> renewAll(Connection connection, List<SettleParameters> settles) throws SQLException {
        return applied(
                settles,
                RENEW_MANY.query(
                        connection,
                        row -> row.getObject(1),
                        ArrayParameter.of("uuid", settles, SettleParameters::id),
                        ArrayParameter.of("bytea", settles, SettleParameters::holder),
                        ArrayParameter.of("bigint", settles, SettleParameters::fence),
                        ArrayParameter.of(
                                "bigint",
                                settles,
                                each -> SqlValues.micros(((Settlement.Renew) each.settlement()).lease())),
                        ArrayParameter.of("uuid", settles, SettleParameters::id)));
    }

    private static List<Boolean> applied(List<SettleParameters> settles, List<Object> ids) {
        Set<Object> applied = new HashSet<>(ids);
        return settles.stream().map(each -> applied.contains(each.id())).toList();
    }

    public boolean amend(Connection connection, Object id, byte[] seen, Settlement verdict) throws SQLException {
        return verdict instanceof Settlement.Complete done
                ? amendToResult.update(connection, completion(done, id, seen)) == 1
                : amendToFree.update(connection, id, seen) == 1;
    }

    /** The parameters that two statements share, then those that identify the row. */
    private static Object[] completion(Settlement.Complete done, Object... named) {
        long retention = SqlValues.micros(done.retention().retention());
        long remembrance = SqlValues.micros(done.retention().remembrance());
        return Stream.concat(
                        Stream.of(done.result(), retention, retention, retention, retention, remembrance, remembrance),
                        Stream.of(named))
                .toArray();
    }
}
