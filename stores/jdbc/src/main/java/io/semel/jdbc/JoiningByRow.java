// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes the slot by a row that nobody else sees before the commit, and makes it the finished record at the end: for databases
 * without locks that end with the transaction and need no row.
 */
final class JoiningByRow implements Joining {

    private static final int MOST_TRIES = 10;

    private final Dialect dialect;
    private final Statement look;
    private final Statement insert;
    private final Statement share;
    private final Statement lock;
    private final Statement mark;
    private final Statement marked;
    private final Statement recordSeen;
    private final Statement recordMarked;
    private final Statement delete;
    private final Statement intact;

    JoiningByRow(Dialect dialect) {
        this.dialect = dialect;
        this.look = new Statement(dialect, dialect.firstLook());
        // Were it ever committed like this, it would be abandoned at once.
        this.insert = new Statement(dialect, dialect.unwaiting() + """
                INSERT INTO semel_slot (id, print, fence, attempts, holder, since, until, forget, scope, name)
                VALUES (?, ?, ?, 1, ?, $now, $now, 9223372036854775807, ?, ?)
                """);
        String latest = """
                SELECT print, fence, attempts, holder, since, until, forget, result, $now AS now
                FROM semel_slot WHERE id = ?
                """;
        this.share = new Statement(dialect, dialect.unwaiting() + latest + dialect.sharing());
        this.lock = new Statement(dialect, dialect.unwaiting() + latest + "FOR UPDATE");
        this.mark = new Statement(dialect, """
                UPDATE semel_slot
                SET print = ?, fence = ?, holder = ?, since = $now, until = $now, forget = 9223372036854775807, result = NULL
                WHERE id = ?
                """);
        this.marked = new Statement(dialect, "SELECT COUNT(*) FROM semel_slot WHERE id = ? AND holder = ?");
        String update = """
                UPDATE semel_slot
                SET print = ?, fence = ?, attempts = 1, holder = NULL, since = $now,
                    until = LEAST($now, 9223372036854775807 - ?) + ?,
                    forget = LEAST(LEAST($now, 9223372036854775807 - ?) + ?, 9223372036854775807 - ?) + ?,
                    result = ?, scope = ?, name = ?
                WHERE id = ? AND fence <= ? AND\s""";
        this.recordSeen = new Statement(dialect, update + "fence = ? AND until = ? AND COALESCE(holder, X'') = ?");
        this.recordMarked = new Statement(dialect, update + "holder = ?");
        this.delete = new Statement(dialect, "DELETE FROM semel_slot WHERE id = ? AND holder = ?");
        this.intact = new Statement(dialect, dialect.intactAfterTimeout());
    }

    @Override
    public Found claim(Connection connection, Claims.Claiming claiming) throws SQLException {
        try {
            return dialect.unwaiting(connection, it -> take(it, claiming));
        } catch (SQLException e) {
            if (dialect.isLockTimeout(e) && isIntact(connection)) {
                return Found.inUse(claiming);
            }
            throw e;
        }
    }

    /**
     * A slot that is there already gets its holder, too, which nobody sees before the commit: it is gone should a driver have put
     * another connection in the place of one that was lost, and abandoned should the work commit by itself.
     */
    @Override
    public Found begin(Connection connection, Claims.Claiming claiming) throws SQLException {
        Found found = claim(connection, claiming);
        if (found.claim() instanceof Claim.Granted granted && !found.seen().isNothing()) {
            mark.update(connection, claiming.print(), granted.fence(), claiming.holder(), claiming.id());
        }
        return found;
    }

    @Override
    public Ending settleAndCommit(Connection connection, Taking taking, Settlement.Complete done) throws SQLException {
        // The row is locked from the claim on, so that only the end of its transaction can have taken it away.
        if (!complete(recordMarked, connection, taking, done, taking.claiming().holder())) {
            return Ending.UNKNOWN;
        }
        connection.commit();
        return Ending.KEPT;
    }

    @Override
    public boolean isBegun(Connection connection, Claims.Claiming claiming) throws SQLException {
        return marked.first(connection, row -> row.getLong(1) == 1, claiming.id(), claiming.holder())
                .orElseThrow();
    }

    private boolean isIntact(Connection connection) throws SQLException {
        return intact.first(connection, row -> row.getBoolean(1)).orElseThrow();
    }

    private Found take(Connection connection, Claims.Claiming claiming) throws SQLException {
        long start = System.nanoTime();
        First seen = look.first(connection, JoiningByRow::first, claiming.id()).orElseThrow();
        Row row = seen.row;
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            if (row == null) {
                if (insert(connection, claiming, seen.now)) {
                    return Found.nothing(seen.now + microsSince(start));
                }
                row = read(share, connection, claiming);
            }
            if (row != null) {
                if (!Joining.isTakeable(row, claiming.call())) {
                    return Found.of(row, claiming.call());
                }
                row = read(lock, connection, claiming);
                if (row != null && Joining.isTakeable(row, claiming.call())) {
                    return Found.of(row, claiming.call());
                }
            }
        }
        throw new SQLException("The slot is there, but this transaction began too early to see it.", "40001");
    }

    /** False if somebody has inserted and committed it before. */
    private boolean insert(Connection connection, Claims.Claiming claiming, long now) throws SQLException {
        try {
            insert.update(
                    connection,
                    claiming.id(),
                    claiming.print(),
                    now,
                    claiming.holder(),
                    claiming.scope(),
                    claiming.name());
            return true;
        } catch (SQLException e) {
            if (dialect.isDuplicateKey(e)) {
                return false;
            }
            throw e;
        }
    }

    private static @Nullable Row read(Statement statement, Connection connection, Claims.Claiming claiming)
            throws SQLException {
        return statement.first(connection, Row::read, claiming.id()).orElse(null);
    }

    /** The insert may have waited for an attempt that looked at the clock later than this one and then was undone. */
    private static long microsSince(long start) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) + 1;
    }

    @Override
    public boolean settle(Connection connection, Taking taking, Settlement settlement) throws SQLException {
        Claims.Claiming claiming = taking.claiming();
        if (settlement instanceof Settlement.Complete done) {
            Seen seen = taking.seen();
            return seen.isNothing()
                    ? complete(recordMarked, connection, taking, done, claiming.holder())
                    : complete(recordSeen, connection, taking, done, seen.fence(), seen.until(), token(seen.holder()));
        }
        if (settlement instanceof Settlement.Renew more && !more.lease().isZero()) {
            return true;
        }
        // A slot that was taken over has not been written to, and is as it was found.
        delete.update(connection, claiming.id(), claiming.holder());
        return true;
    }

    private static boolean complete(
            Statement record, Connection connection, Taking taking, Settlement.Complete done, Object... named)
            throws SQLException {
        Claims.Claiming claiming = taking.claiming();
        long fence = taking.fence();
        long retention = Row.micros(done.retention().retention());
        long remembrance = Row.micros(done.retention().remembrance());
        Stream<@Nullable Object> written = Stream.of(
                claiming.print(),
                fence,
                retention,
                retention,
                retention,
                retention,
                remembrance,
                remembrance,
                done.result(),
                claiming.scope(),
                claiming.name(),
                claiming.id(),
                fence);
        return record.update(
                        connection, Stream.concat(written, Stream.of(named)).toArray())
                == 1;
    }

    private static byte[] token(byte @Nullable [] holder) {
        return holder == null ? new byte[0] : holder;
    }

    private static First first(ResultSet columns) throws SQLException {
        return new First(columns.getBytes("id") == null ? null : Row.read(columns), columns.getLong("now"));
    }

    private record First(@Nullable Row row, long now) {}
}
