// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.joined;

import io.semel.jdbc.internal.slot.ClaimParameters;
import io.semel.jdbc.internal.slot.SlotRow;
import io.semel.jdbc.internal.slot.TimedRow;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlStates;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes the slot by a row that is invisible to others before the commit, and turns it into the finished record at the
 * end; for databases without locks that end with the transaction and need no row.
 */
final class RowJoin implements JoinStrategy {

    private static final int MOST_TRIES = 10;

    private final SqlDialect dialect;
    private final SqlStatement look;
    private final SqlStatement insert;
    private final SqlStatement share;
    private final SqlStatement lock;
    private final SqlStatement mark;
    private final SqlStatement marked;
    private final SqlStatement recordSeen;
    private final SqlStatement recordMarked;
    private final SqlStatement delete;
    private final SqlStatement intact;

    RowJoin(SqlDialect dialect) {
        this.dialect = dialect;
        this.look = new SqlStatement(dialect, dialect.firstLook());
        // If it were ever committed like this, it would be abandoned at once.
        this.insert = new SqlStatement(dialect, dialect.noWait() + """
                INSERT INTO semel_slot (id, print, fence, attempts, holder, since, until, forget, scope, name)
                VALUES (?, ?, ?, 1, ?, $now, $now, 9223372036854775807, ?, ?)
                """);
        String latest = """
                SELECT print, fence, attempts, holder, since, until, forget, result, $now AS now
                FROM semel_slot WHERE id = ?
                """;
        this.share = new SqlStatement(dialect, dialect.noWait() + latest + dialect.sharing());
        this.lock = new SqlStatement(dialect, dialect.noWait() + latest + "FOR UPDATE");
        this.mark = new SqlStatement(dialect, """
                UPDATE semel_slot
                SET print = ?, fence = ?, holder = ?, since = $now, until = $now, forget = 9223372036854775807, result = NULL
                WHERE id = ?
                """);
        this.marked = new SqlStatement(dialect, "SELECT COUNT(*) FROM semel_slot WHERE id = ? AND holder = ?");
        String update = """
                UPDATE semel_slot
                SET print = ?, fence = ?, attempts = 1, holder = NULL, since = $now,
                    until = LEAST($now, 9223372036854775807 - ?) + ?,
                    forget = LEAST(LEAST($now, 9223372036854775807 - ?) + ?, 9223372036854775807 - ?) + ?,
                    result = ?, scope = ?, name = ?
                WHERE id = ? AND fence <= ? AND\s""";
        this.recordSeen = new SqlStatement(dialect, update + "fence = ? AND until = ? AND COALESCE(holder, X'') = ?");
        this.recordMarked = new SqlStatement(dialect, update + "holder = ?");
        this.delete = new SqlStatement(dialect, "DELETE FROM semel_slot WHERE id = ? AND holder = ?");
        this.intact = new SqlStatement(dialect, dialect.intactAfterTimeout());
    }

    @Override
    public ClaimAnswer claim(Connection connection, ClaimParameters claiming) throws SQLException {
        try {
            return dialect.withoutWaiting(connection, it -> take(it, claiming));
        } catch (SQLException e) {
            if (dialect.isLockTimeout(e) && isIntact(connection)) {
                return ClaimAnswer.inUse(claiming);
            }
            throw e;
        }
    }

    /**
     * Also marks an existing slot with its holder, invisibly before the commit: the mark is gone if a driver replaced a
     * lost connection, and the slot is abandoned if the work commits by itself.
     */
    @Override
    public ClaimAnswer begin(Connection connection, ClaimParameters claiming) throws SQLException {
        ClaimAnswer found = claim(connection, claiming);
        if (found.claim() instanceof Claim.Granted granted && !found.observed().isNothing()) {
            mark.update(connection, claiming.print(), granted.fence(), claiming.holder(), claiming.id());
        }
        return found;
    }

    @Override
    public Ending settleAndCommit(Connection connection, Grant grant, Settlement.Complete done) throws SQLException {
        // The row is locked since the claim, so that only the end of its transaction can have removed it.
        if (!complete(recordMarked, connection, grant, done, grant.claiming().holder())) {
            return Ending.UNKNOWN;
        }
        connection.commit();
        return Ending.KEPT;
    }

    @Override
    public boolean isBegun(Connection connection, ClaimParameters claiming) throws SQLException {
        return marked.first(connection, row -> row.getLong(1) == 1, claiming.id(), claiming.holder())
                .orElseThrow();
    }

    private boolean isIntact(Connection connection) throws SQLException {
        return intact.first(connection, row -> row.getBoolean(1)).orElseThrow();
    }

    private ClaimAnswer take(Connection connection, ClaimParameters claiming) throws SQLException {
        long start = System.nanoTime();
        TimedRow first = look.first(connection, TimedRow::read, claiming.id()).orElseThrow();
        SlotRow row = first.row();
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            if (row == null) {
                if (insert(connection, claiming, first.now())) {
                    return ClaimAnswer.nothing(first.now() + microsSince(start));
                }
                row = read(share, connection, claiming);
            }
            if (row != null) {
                if (!JoinStrategy.isTakeable(row, claiming.call())) {
                    return ClaimAnswer.of(row, claiming.call());
                }
                row = read(lock, connection, claiming);
                if (row != null && JoinStrategy.isTakeable(row, claiming.call())) {
                    return ClaimAnswer.of(row, claiming.call());
                }
            }
        }
        throw new SQLException(
                "The slot exists, but this transaction began too early to see it.", SqlStates.SERIALIZATION_FAILURE);
    }

    /** False if another transaction has inserted and committed it before. */
    private boolean insert(Connection connection, ClaimParameters claiming, long now) throws SQLException {
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

    private static @Nullable SlotRow read(SqlStatement statement, Connection connection, ClaimParameters claiming)
            throws SQLException {
        return statement.first(connection, SlotRow::read, claiming.id()).orElse(null);
    }

    /** The insert may have waited for an attempt that read the clock later than this one and was then undone. */
    private static long microsSince(long start) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) + 1;
    }

    @Override
    public boolean settle(Connection connection, Grant grant, Settlement settlement) throws SQLException {
        ClaimParameters claiming = grant.claiming();
        if (settlement instanceof Settlement.Complete done) {
            ObservedSlot seen = grant.observed();
            return seen.isNothing()
                    ? complete(recordMarked, connection, grant, done, claiming.holder())
                    : complete(recordSeen, connection, grant, done, seen.fence(), seen.until(), token(seen.holder()));
        }
        if (settlement instanceof Settlement.Renew more && !more.lease().isZero()) {
            return true;
        }
        // A slot that was taken over has not been written to, and is unchanged.
        delete.update(connection, claiming.id(), claiming.holder());
        return true;
    }

    private static boolean complete(
            SqlStatement record, Connection connection, Grant grant, Settlement.Complete done, Object... named)
            throws SQLException {
        ClaimParameters claiming = grant.claiming();
        long fence = grant.fence();
        long retention = SqlValues.micros(done.retention().retention());
        long remembrance = SqlValues.micros(done.retention().remembrance());
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
}
