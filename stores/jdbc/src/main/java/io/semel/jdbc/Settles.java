// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;

/** The statements that end or renew a claim, each naming the holder, and those that replace what was settled. */
final class Settles {

    private final Statement complete;
    private final Statement renew;
    private final Statement release;
    private final Statement amendToResult;
    private final Statement amendToFree;

    Settles(Dialect dialect) {
        // An end that never comes is the largest number; LEAST keeps the sum from running over it.
        this.complete = new Statement(dialect, """
                UPDATE semel_slot
                SET holder = NULL, result = ?, since = $now,
                    until = LEAST($now, 9223372036854775807 - ?) + ?,
                    forget = LEAST(LEAST($now, 9223372036854775807 - ?) + ?, 9223372036854775807 - ?) + ?
                WHERE id = ? AND holder = ? AND fence = ?
                """);
        this.renew = new Statement(
                dialect, "UPDATE semel_slot SET until = $now + ? WHERE id = ? AND holder = ? AND fence = ?");
        this.release = new Statement(
                dialect,
                "UPDATE semel_slot SET holder = NULL, until = 0, forget = 0 WHERE id = ? AND holder = ? AND fence = ?");
        this.amendToResult = new Statement(dialect, """
                UPDATE semel_slot
                SET result = ?, since = $now,
                    until = LEAST($now, 9223372036854775807 - ?) + ?,
                    forget = LEAST(LEAST($now, 9223372036854775807 - ?) + ?, 9223372036854775807 - ?) + ?
                WHERE id = ? AND holder IS NULL AND until > $now AND result = ?
                """);
        this.amendToFree = new Statement(dialect, """
                UPDATE semel_slot SET result = NULL, until = 0, forget = 0
                WHERE id = ? AND holder IS NULL AND until > $now AND result = ?
                """);
    }

    boolean settle(Connection connection, Object id, byte[] holder, long fence, Settlement settlement)
            throws SQLException {
        if (settlement instanceof Settlement.Complete done) {
            return complete.update(connection, completion(done, id, holder, fence)) == 1;
        }
        if (settlement instanceof Settlement.Renew more) {
            return renew.update(connection, Row.micros(more.lease()), id, holder, fence) == 1;
        }
        return release.update(connection, id, holder, fence) == 1;
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
}
