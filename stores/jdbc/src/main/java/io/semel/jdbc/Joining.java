// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** How a dialect takes a slot within the caller's transaction, and records there what came of it. */
interface Joining {

    /**
     * Waits for whoever has the slot in another transaction, as long as the database allows; whoever waits in vain is told that
     * it is held, and has its transaction as it was.
     */
    Found claim(Connection connection, Claims.Claiming claiming) throws SQLException;

    /** Ends a grant; false if it is not the caller's any more, and then nothing of the transaction may be kept. */
    boolean settle(Connection connection, Taking taking, Settlement settlement) throws SQLException;

    /** Records the answer and commits; false if it is not the caller's any more, and then nothing was committed. */
    default boolean settleAndCommit(Connection connection, Taking taking, Settlement.Complete done)
            throws SQLException {
        boolean applied = settle(connection, taking, done);
        if (applied) {
            connection.commit();
        }
        return applied;
    }

    static Joining of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? new JoiningByLock() : new JoiningByRow(dialect);
    }

    /** What a claim is told, and whether there was nothing at all about its key. */
    record Found(Claim claim, boolean absent) {

        static Found nothing(long now) {
            return new Found(new Claim.Granted(now, false), true);
        }

        /** What the other transaction asks cannot be seen before it has ended; it is taken for the same. */
        static Found waitedInVain(Claims.Claiming claiming) {
            Duration lease = Duration.of(claiming.lease(), ChronoUnit.MICROS);
            return new Found(new Claim.Held(claiming.call().fingerprint(), lease), false);
        }

        static Found of(Row row, Call call) {
            return new Found(isTakeable(row, call) ? take(row) : row.known(), false);
        }
    }

    /** A claim that was granted. */
    record Taking(Claims.Claiming claiming, long fence, boolean absent) {

        static Taking of(Claims.Claiming claiming, Claim.Granted granted, boolean absent) {
            return new Taking(claiming, granted.fence(), absent);
        }
    }

    static boolean isTakeable(Row row, Call call) {
        return row.isFree() || row.isAbandonedTo(call);
    }

    static Claim take(Row row) {
        return new Claim.Granted(Math.max(row.now(), row.fence() + 1), !row.isFree());
    }
}
