// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.store.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Claims in two statements, a lookup and a write that applies only to the row that was read, for databases that cannot do it
 * in one. Each must commit by itself: in a transaction that reads from a snapshot, every lookup would return the same row.
 */
final class StepwiseClaims {

    private static final int MOST_TRIES = 20;
    private static final long PAUSE_NANOS = 2_000_000;
    private static final int MOST_ATTEMPTS = Short.MAX_VALUE;

    private final SqlDialect dialect;
    private final SqlStatement look;
    private final SqlStatement insert;
    private final SqlStatement renew;
    private final SqlStatement take;

    StepwiseClaims(SqlDialect dialect) {
        this.dialect = dialect;
        this.look = new SqlStatement(dialect, """
                SELECT s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
                FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = ?
                """);
        this.insert = new SqlStatement(dialect, dialect.noWait() + """
                INSERT INTO semel_slot (id, print, fence, attempts, holder, since, until, forget, scope, name)
                VALUES (?, ?, ?, 1, ?, $now, $now + ?, 9223372036854775807, ?, ?)
                """);
        this.renew = new SqlStatement(
                dialect,
                dialect.noWait() + "UPDATE semel_slot SET until = $now + ? WHERE id = ? AND holder = ? AND fence = ?");
        this.take = new SqlStatement(dialect, dialect.noWait() + """
                UPDATE semel_slot
                SET print = ?, fence = ?, attempts = ?, holder = ?, since = $now, until = $now + ?, forget = 9223372036854775807,
                    result = NULL, scope = ?, name = ?
                WHERE id = ? AND fence = ? AND until = ? AND COALESCE(holder, X'') = ?
                """);
    }

    /** Waits for no lock: the written times are computed before the wait, and a lease must not be over when it begins. */
    Claim claim(Connection connection, ClaimParameters claiming) throws SQLException {
        for (int tries = 0; ; tries++) {
            if (tries > 1) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            try {
                Claim claim = tryOnce(connection, claiming);
                if (claim != null) {
                    return claim;
                }
            } catch (SQLException e) {
                if (!dialect.isContention(e) || tries >= MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Null if the slot changed between the lookup and the write. */
    private @Nullable Claim tryOnce(Connection connection, ClaimParameters claiming) throws SQLException {
        TimedRow seen = look.first(connection, TimedRow::read, claiming.id()).orElseThrow();
        SlotRow row = seen.row();
        return row == null
                ? dialect.withoutWaiting(connection, it -> Optional.ofNullable(insert(it, claiming, seen.now())))
                        .orElse(null)
                : decide(connection, claiming, row);
    }

    /** Null if the slot has changed since it was read. */
    private @Nullable Claim decide(Connection connection, ClaimParameters claiming, SlotRow row) throws SQLException {
        if (row.isHeldBy(claiming.holder())) {
            boolean renewed = dialect.withoutWaiting(
                    connection,
                    it -> renew.update(it, claiming.lease(), claiming.id(), claiming.holder(), row.fence()) == 1);
            return renewed ? new Claim.Granted(row.fence(), row.attempts() > 1) : null;
        }
        if (row.isFree() || row.isAbandonedTo(claiming.call())) {
            return dialect.withoutWaiting(connection, it -> Optional.ofNullable(take(it, claiming, row)))
                    .orElse(null);
        }
        return row.known();
    }

    /** Null if the slot exists already. */
    private @Nullable Claim insert(Connection connection, ClaimParameters claiming, long now) throws SQLException {
        try {
            insert.update(
                    connection,
                    claiming.id(),
                    claiming.print(),
                    now,
                    claiming.holder(),
                    claiming.lease(),
                    claiming.scope(),
                    claiming.name());
            return new Claim.Granted(now, false);
        } catch (SQLException e) {
            if (dialect.isDuplicateKey(e)) {
                return null;
            }
            throw e;
        }
    }

    private @Nullable Claim take(Connection connection, ClaimParameters claiming, SlotRow row) throws SQLException {
        boolean abandoned = !row.isFree();
        long fence = Math.max(row.now(), row.fence() + 1);
        byte[] holder = row.holder();
        boolean taken = take.update(
                        connection,
                        claiming.print(),
                        fence,
                        abandoned ? Math.min(row.attempts() + 1, MOST_ATTEMPTS) : 1,
                        claiming.holder(),
                        claiming.lease(),
                        claiming.scope(),
                        claiming.name(),
                        claiming.id(),
                        row.fence(),
                        row.until(),
                        holder == null ? new byte[0] : holder)
                == 1;
        return taken ? new Claim.Granted(fence, abandoned) : null;
    }
}
