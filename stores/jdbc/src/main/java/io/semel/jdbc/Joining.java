// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How a dialect takes a slot within the caller's transaction, and records there what came of it. */
interface Joining {

    /**
     * Never waits for whoever has the slot in another transaction: it is told that the slot is held, and has its transaction as
     * it was.
     */
    Found claim(Connection connection, Claims.Claiming claiming) throws SQLException;

    /** The same for whoever ends by {@link #settleAndCommit} in the same transaction, and in no other. */
    default Found begin(Connection connection, Claims.Claiming claiming) throws SQLException {
        return claim(connection, claiming);
    }

    /**
     * Ends a grant; false if it is not the caller's any more, and then nothing of the transaction may be kept. It is not if the slot
     * has changed since the claim saw it, also if it could be taken again: somebody who had it meanwhile may have done the same.
     */
    boolean settle(Connection connection, Taking taking, Settlement settlement) throws SQLException;

    /** Records the answer and commits, in the transaction that {@link #begin} was said in; in any other it does neither. */
    Ending settleAndCommit(Connection connection, Taking taking, Settlement.Complete done) throws SQLException;

    /** Whether this is the transaction that {@link #begin} was said in, as far as it tells. */
    boolean isBegun(Connection connection, Claims.Claiming claiming) throws SQLException;

    /** How a transaction ended. */
    enum Ending {
        KEPT,
        /** Nothing of it was kept, because somebody else had the slot. */
        NOT_FIRST,
        /** It had ended before, in a way of which nothing is known. */
        UNKNOWN
    }

    static Joining of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? new JoiningByLock(true) : new JoiningByRow(dialect);
    }

    /** What a claim is told, and what of the slot it was told for. */
    record Found(Claim claim, Seen seen) {

        static Found nothing(long now) {
            return new Found(new Claim.Granted(now, false), Seen.NOTHING);
        }

        static Found inUse(Claims.Claiming claiming) {
            return new Found(claiming.inUse(), Seen.NOTHING);
        }

        static Found of(Row row, Call call) {
            return new Found(isTakeable(row, call) ? take(row) : row.known(), Seen.of(row));
        }
    }

    /** A slot as a claim has seen it. It is another one as soon as somebody was granted it, or its holder was heard of. */
    record Seen(long fence, long until, byte @Nullable [] holder) {

        /** Of a slot of which nothing is known; no fence is below zero. */
        static final Seen NOTHING = new Seen(-1, -1, null);

        private static Seen of(Row row) {
            return new Seen(row.fence(), row.until(), row.holder());
        }

        boolean isNothing() {
            return fence < 0;
        }

        /** Whether it was left like this by a transaction that was to end with a record, and ended before. */
        boolean isLeftBy(Claims.Claiming claiming) {
            return Arrays.equals(holder, claiming.holder());
        }
    }

    /** A claim that was granted. */
    record Taking(Claims.Claiming claiming, long fence, Seen seen) {

        static Taking of(Claims.Claiming claiming, Claim.Granted granted, Seen seen) {
            return new Taking(claiming, granted.fence(), seen);
        }
    }

    static boolean isTakeable(Row row, Call call) {
        return row.isFree() || row.isAbandonedTo(call);
    }

    static Claim take(Row row) {
        return new Claim.Granted(Math.max(row.now(), row.fence() + 1), !row.isFree());
    }
}
