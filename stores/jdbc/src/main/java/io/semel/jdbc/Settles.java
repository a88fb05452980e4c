// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
import io.semel.jdbc.Statement.Column;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The statements that end or renew a claim, each naming the holder, and those that replace what was settled. */
final class Settles {

    /** A day, for which a free slot keeps its fence: a clock that is set back by less makes no fence go backwards (S7). */
    private static final String FENCED = "86400000000";

    private final Dialect dialect;
    private final Statement complete;
    private final Statement renew;
    private final Statement release;
    private final Statement amendToResult;
    private final Statement amendToFree;

    /**
     * By an array of ids before the join, because a plan made while the table was small would otherwise join by reading all of
     * it when it has grown.
     */
    private static final Statement COMPLETE_MANY = new Statement(Dialect.POSTGRESQL, """
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

    /** Waits for nobody: a slot that somebody else has locked must not cost the others their lease. */
    private static final Statement RENEW_MANY = new Statement(Dialect.POSTGRESQL, """
            UPDATE semel_slot s
            SET until = $now + g.lease
            FROM unnest(?::uuid[], ?::bytea[], ?::bigint[], ?::bigint[]) AS g (id, holder, fence, lease)
            WHERE s.id = ANY (ARRAY(SELECT id FROM semel_slot WHERE id = ANY (?::uuid[]) FOR UPDATE SKIP LOCKED))
              AND s.id = g.id AND s.holder = g.holder AND s.fence = g.fence
            RETURNING s.id
            """);

    Settles(Dialect dialect) {
        this.dialect = dialect;
        // An end that never comes is the largest number; LEAST keeps the sum from running over it.
        this.complete = new Statement(dialect, dialect.briefly() + """
                UPDATE semel_slot
                SET holder = NULL, result = ?, since = $now,
                    until = LEAST($now, 9223372036854775807 - ?) + ?,
                    forget = LEAST(LEAST($now, 9223372036854775807 - ?) + ?, 9223372036854775807 - ?) + ?
                $briefly WHERE id = ? AND holder = ? AND fence = ?
                """);
        this.renew = new Statement(
                dialect,
                // Never the same value again: some drivers count only rows that change.
                dialect.unwaiting()
                        + "UPDATE semel_slot SET until = $now + ? + CASE WHEN until = $now + ? THEN 1 ELSE 0 END"
                        + " WHERE id = ? AND holder = ? AND fence = ?");
        this.release = new Statement(dialect, dialect.briefly() + """
                UPDATE semel_slot SET holder = NULL, until = $now + $fenced, forget = 0
                $briefly WHERE id = ? AND holder = ? AND fence = ?
                """.replace("$fenced", FENCED));
        this.amendToResult = new Statement(dialect, """
                UPDATE semel_slot
                SET result = ?, since = $now,
                    until = LEAST($now, 9223372036854775807 - ?) + ?,
                    forget = LEAST(LEAST($now, 9223372036854775807 - ?) + ?, 9223372036854775807 - ?) + ?
                WHERE id = ? AND holder IS NULL AND until > $now AND result = ?
                """);
        this.amendToFree = new Statement(dialect, """
                UPDATE semel_slot SET result = NULL, until = $now + $fenced, forget = 0
                WHERE id = ? AND holder IS NULL AND until > $now AND result = ?
                """.replace("$fenced", FENCED));
    }

    boolean settle(Connection connection, Settle settle) throws SQLException {
        Settlement settlement = settle.settlement;
        Object id = settle.id;
        byte[] holder = settle.holder;
        long fence = settle.fence;
        if (settlement instanceof Settlement.Complete done) {
            return complete.update(connection, completion(done, id, holder, fence)) == 1;
        }
        if (settlement instanceof Settlement.Renew more) {
            long lease = Row.micros(more.lease());
            return dialect.unwaiting(connection, it -> renew.update(it, lease, lease, id, holder, fence) == 1);
        }
        return release.update(connection, id, holder, fence) == 1;
    }

    /** Completions of different keys in one statement, answered in their order; of databases that take arrays. */
    static List<Boolean> completeAll(Connection connection, List<Settle> settles) throws SQLException {
        return applied(
                settles,
                COMPLETE_MANY.query(
                        connection,
                        row -> row.getObject(1),
                        Column.of("uuid", settles, Settle::id),
                        Column.of("bytea", settles, Settle::holder),
                        Column.of("bigint", settles, Settle::fence),
                        Column.of("bytea", settles, each -> each.completion().result()),
                        Column.of(
                                "bigint",
                                settles,
                                each -> Row.micros(each.completion().retention().retention())),
                        Column.of(
                                "bigint",
                                settles,
                                each -> Row.micros(each.completion().retention().remembrance())),
                        Column.of("uuid", settles, Settle::id)));
    }

    /** The same for renewals. */
    static List<Boolean> renewAll(Connection connection, List<Settle> settles) throws SQLException {
        return applied(
                settles,
                RENEW_MANY.query(
                        connection,
                        row -> row.getObject(1),
                        Column.of("uuid", settles, Settle::id),
                        Column.of("bytea", settles, Settle::holder),
                        Column.of("bigint", settles, Settle::fence),
                        Column.of("bigint", settles, each -> Row.micros(((Settlement.Renew) each.settlement).lease())),
                        Column.of("uuid", settles, Settle::id)));
    }

    private static List<Boolean> applied(List<Settle> settles, List<Object> ids) {
        Set<Object> applied = new HashSet<>(ids);
        return settles.stream().map(each -> applied.contains(each.id)).toList();
    }

    boolean amend(Connection connection, Object id, byte[] seen, Settlement verdict) throws SQLException {
        return verdict instanceof Settlement.Complete done
                ? amendToResult.update(connection, completion(done, id, seen)) == 1
                : amendToFree.update(connection, id, seen) == 1;
    }

    /** The gaps that two statements share, then what each of them goes by. */
    private static Object[] completion(Settlement.Complete done, Object... named) {
        long retention = Row.micros(done.retention().retention());
        long remembrance = Row.micros(done.retention().remembrance());
        return Stream.concat(
                        Stream.of(done.result(), retention, retention, retention, retention, remembrance, remembrance),
                        Stream.of(named))
                .toArray();
    }

    /** A settlement as parameters of a statement. */
    record Settle(Key key, Object id, byte[] holder, long fence, Settlement settlement) {

        static Settle of(Dialect dialect, Store.Settling settling) {
            return new Settle(
                    settling.key(),
                    dialect.binary16(settling.key().hash()),
                    Claims.Claiming.token(settling.holder()),
                    settling.fence(),
                    settling.settlement());
        }

        private Settlement.Complete completion() {
            return (Settlement.Complete) settlement;
        }
    }
}
