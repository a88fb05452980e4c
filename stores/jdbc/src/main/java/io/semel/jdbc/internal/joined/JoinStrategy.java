// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.joined;

import io.semel.Call;
import io.semel.jdbc.internal.slot.ClaimParameters;
import io.semel.jdbc.internal.slot.SlotRow;
import io.semel.jdbc.internal.slot.TimedRow;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How a dialect takes a slot within the caller's transaction and records the result there. */
public interface JoinStrategy {

    /**
     * Never waits for another transaction that has the slot: the claim is told that the slot is held, and its
     * transaction can go on.
     */
    ClaimAnswer claim(Connection connection, ClaimParameters claiming) throws SQLException;

    /** The same for a transaction that ends by {@link #settleAndCommit}, and only there. */
    default ClaimAnswer begin(Connection connection, ClaimParameters claiming) throws SQLException {
        return claim(connection, claiming);
    }

    /**
     * Ends a grant; false if it no longer belongs to the caller, in which case nothing of the transaction may be kept.
     * It no longer does if the slot has changed since the claim read it, even if the slot could be taken again: another
     * holder may have done the same work meanwhile.
     */
    boolean settle(Connection connection, Grant grant, Settlement settlement) throws SQLException;

    /** Records the answer and commits, in the transaction of {@link #begin}; in any other it does neither. */
    Ending settleAndCommit(Connection connection, Grant grant, Settlement.Complete done) throws SQLException;

    /** Whether this is the transaction of {@link #begin}, as far as can be told. */
    boolean isBegun(Connection connection, ClaimParameters claiming) throws SQLException;

    /** How a transaction ended. */
    enum Ending {
        KEPT,
        /** Nothing of it was kept, because another transaction had the slot. */
        NOT_FIRST,
        /** It had ended before, with an unknown outcome. */
        UNKNOWN
    }

    static JoinStrategy of(SqlDialect dialect) {
        return dialect == SqlDialect.POSTGRESQL ? new LockJoin(true) : new RowJoin(dialect);
    }

    /** The answer to a claim, and the slot as the claim read it. */
    record ClaimAnswer(Claim claim, ObservedSlot observed) {

        static ClaimAnswer nothing(long now) {
            return new ClaimAnswer(new Claim.Granted(now, false), ObservedSlot.NOTHING);
        }

        static ClaimAnswer inUse(ClaimParameters claiming) {
            return new ClaimAnswer(claiming.inUse(), ObservedSlot.NOTHING);
        }

        public static ClaimAnswer of(TimedRow found, Call call) {
            SlotRow row = found.row();
            return row == null ? nothing(found.now()) : of(row, call);
        }

        static ClaimAnswer of(SlotRow row, Call call) {
            return new ClaimAnswer(isTakeable(row, call) ? take(row) : row.known(), ObservedSlot.of(row));
        }
    }

    /** A slot as a claim read it; every grant and every renewal changes it. */
    record ObservedSlot(long fence, long until, byte @Nullable [] holder) {

        /** A slot without a row; no fence is below zero. */
        static final ObservedSlot NOTHING = new ObservedSlot(-1, -1, null);

        private static ObservedSlot of(SlotRow row) {
            return new ObservedSlot(row.fence(), row.until(), row.holder());
        }

        boolean isNothing() {
            return fence < 0;
        }

        /** Whether it was left by a transaction that was to end with a record and ended before. */
        boolean isLeftBy(ClaimParameters claiming) {
            return Arrays.equals(holder, claiming.holder());
        }
    }

    /** A granted claim. */
    record Grant(ClaimParameters claiming, long fence, ObservedSlot observed) {

        public static Grant of(ClaimParameters claiming, Claim.Granted granted, ObservedSlot observed) {
            return new Grant(claiming, granted.fence(), observed);
        }
    }

    static boolean isTakeable(SlotRow row, Call call) {
        return row.isFree() || row.isAbandonedTo(call);
    }

    static Claim take(SlotRow row) {
        return new Claim.Granted(Math.max(row.now(), row.fence() + 1), !row.isFree());
    }
}
