// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.joined;

import io.semel.Key;
import io.semel.OutcomeUnknown;
import io.semel.StoreException;
import io.semel.jdbc.internal.joined.JoinStrategy.Ending;
import io.semel.jdbc.internal.slot.ClaimParameters;
import io.semel.jdbc.internal.slot.Lookups;
import io.semel.jdbc.internal.slot.StatementRunner;
import io.semel.jdbc.internal.sql.ConnectionFailure;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStates;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The transaction of one attempt, from its claim to its commit. */
public final class AttemptTransaction {

    private static final int MOST_TRIES = 10;
    /** How long a transaction may take to end after its connection was lost. */
    private static final Duration MOST_ENDING = Duration.ofSeconds(5);

    /** How long the server may take to answer the store's own statements: as long as the lease, within these bounds. */
    private static final Duration LEAST_WAIT = Duration.ofSeconds(5);

    private static final Duration MOST_WAIT = Duration.ofSeconds(15);

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final DataSource source;
    /** Runs statements outside the transaction. */
    private final StatementRunner outside;

    private final JoinStrategy joining;
    private final SqlDialect dialect;
    private final ClaimParameters claiming;
    private final Key key;
    /** Whether other claims of the key wait until this transaction has ended. */
    private final boolean locks;

    private volatile @Nullable Connection connection;
    /** The connection while the store itself uses it; it is cut if that takes too long. */
    private volatile @Nullable Connection timed;
    /** The original timeout of that connection. */
    private int networkTimeout;
    /** The original auto-commit mode of the connection. */
    private boolean autocommit;

    private volatile @Nullable Connection lent;
    private volatile boolean abandoned;
    private volatile JoinStrategy.Grant grant;
    /** By the nanosecond clock of the JVM. */
    private volatile long leaseEnd;
    /** Only for the watchdog. */
    private int overdueChecks;

    public AttemptTransaction(
            DataSource source, SqlDialect dialect, StatementRunner outside, ClaimParameters claiming, boolean locks) {
        this.source = source;
        this.outside = outside;
        // Without a lock no statement precedes the work, so there is nothing to set a mark with.
        this.joining = locks ? JoinStrategy.of(dialect) : new LockJoin(false);
        this.dialect = dialect;
        this.claiming = claiming;
        this.key = claiming.call().key();
        this.locks = locks;
        this.grant = new JoinStrategy.Grant(claiming, 0, JoinStrategy.ObservedSlot.NOTHING);
    }

    public boolean is(String holder, long named) {
        return lent != null && grant.fence() == named && Arrays.equals(claiming.holder(), SqlValues.holder(holder));
    }

    /**
     * The answer to another claim in this process: its own holder is granted again (S13), others are told that it is
     * held.
     */
    public Claim known(ClaimParameters other) {
        Duration lease = Duration.of(other.lease(), ChronoUnit.MICROS);
        if (lent == null || !Arrays.equals(claiming.holder(), other.holder())) {
            return new Claim.Held(claiming.call().fingerprint(), lease);
        }
        renew(lease);
        return new Claim.Granted(grant.fence(), abandoned);
    }

    public void renew(Duration lease) {
        leaseEnd = System.nanoTime() + lease.toNanos();
    }

    /** The number of checks in a row that found the lease overdue. */
    int overdueChecks() {
        boolean overdue = (lent != null || timed != null) && System.nanoTime() - leaseEnd > 0;
        overdueChecks = overdue ? overdueChecks + 1 : 0;
        return overdueChecks;
    }

    public Connection lent(long named) {
        Connection open = lent;
        if (open == null || grant.fence() != named) {
            throw new IllegalStateException(
                    "The attempt at " + key + " (fence " + named + ") has no transaction any more.");
        }
        return open;
    }

    /** The database's time, right after the claim and before the work uses the connection. */
    public long now(Lookups lookups) {
        try {
            return lookups.now(lent(grant.fence()));
        } catch (SQLException e) {
            throw new StoreException("The database's time could not be read for " + key + ": " + e.getMessage(), e);
        }
    }

    /** Claims the key, and keeps the connection if the claim is granted. */
    public Claim begin() {
        Connection begun = open();
        Claim claim = null;
        try {
            startTiming(begun);
            JoinStrategy.ClaimAnswer found = claim(begun);
            restore(begun);
            claim = keep(begun, found);
            return claim;
        } catch (SQLException e) {
            if (dialect.isContention(e)) {
                return claiming.inUse();
            }
            throw new StoreException("The database failed to claim " + key + ": " + e.getMessage(), e);
        } finally {
            if (!(claim instanceof Claim.Granted)) {
                giveBack(begun);
            }
        }
    }

    /** Starts over after a conflict, because nothing has been done in the transaction yet. */
    private JoinStrategy.ClaimAnswer claim(Connection begun) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return joining.begin(begun, claiming);
            } catch (SQLException e) {
                if (tries == MOST_TRIES || !dialect.isSafeToRepeat(e)) {
                    throw e;
                }
                begun.rollback();
            }
        }
    }

    /** Begins without a lock if the key looked free. */
    public Claim begin(JoinStrategy.ClaimAnswer found) {
        return found.claim() instanceof Claim.Granted ? keep(open(), found) : found.claim();
    }

    /** Commits, or undoes everything and throws if that fails; false if the transaction has already ended. */
    public boolean commit(Settlement.Complete done) {
        Connection open = end();
        if (open == null) {
            return false;
        }
        Ending ending;
        try {
            startTiming(open);
            ending = done.rejects() ? reject(open, done) : joining.settleAndCommit(open, grant, done);
        } catch (SQLException e) {
            ending = isKept(open, done, e) ? Ending.KEPT : Ending.NOT_FIRST;
        } finally {
            giveBack(open);
        }
        return switch (ending) {
            case KEPT -> true;
            case UNKNOWN -> throw endedBefore();
            case NOT_FIRST ->
                throw StoreException.undone(
                        "The transaction of " + key
                                + " was rolled back, because another one was faster or the connection was"
                                + " lost before the commit. Nothing of it was kept; call again.",
                        null);
        };
    }

    /** Rolls back the effect, takes the key again if it was locked, and records the rejection. */
    private Ending reject(Connection open, Settlement.Complete done) throws SQLException {
        if (!joining.isBegun(open, claiming)) {
            return Ending.UNKNOWN;
        }
        open.rollback();
        if (locks) {
            JoinStrategy.ClaimAnswer again = claim(open);
            if (again.observed().isLeftBy(claiming)) {
                return Ending.UNKNOWN;
            }
            if (!(again.claim() instanceof Claim.Granted granted)) {
                return Ending.NOT_FIRST;
            }
            grant = JoinStrategy.Grant.of(claiming, granted, again.observed());
        }
        return joining.settleAndCommit(open, grant, done);
    }

    /** False if the transaction has already ended. */
    public boolean rollback() {
        Connection open = end();
        if (open == null) {
            return false;
        }
        boolean begun = isBegun(open);
        giveBack(open);
        if (!begun) {
            throw endedBefore();
        }
        return true;
    }

    private boolean isBegun(Connection open) {
        try {
            startTiming(open);
            return joining.isBegun(open, claiming);
        } catch (SQLException e) {
            // The connection is lost, and its transaction with it.
            return true;
        }
    }

    /**
     * Work that ended its transaction itself may have kept its effect, then or later, and so may work whose connection
     * was replaced. Therefore nothing is run again; the slot is left abandoned, and the next call meets the policy for
     * that.
     */
    private OutcomeUnknown endedBefore() {
        IllegalStateException cause = new IllegalStateException(
                "The transaction of " + key
                        + " was ended before its work returned: the work ran COMMIT, ROLLBACK or a statement that commits implicitly,"
                        + " such as DDL, or its connection was replaced by another one. Its effect may exist without a record."
                        + " Check the effect, then resolve or release the key; and leave the end of the transaction to the store.");
        try {
            outside.claim(claiming.abandoned());
        } catch (StoreException e) {
            cause.addSuppressed(e);
        }
        return new OutcomeUnknown(key, grant.fence(), cause);
    }

    /**
     * Rolls back after the engine has gone silent; false if the transaction has already ended. The connection is not
     * reused: the work may still use it, and must not get into another transaction.
     */
    boolean giveUp() {
        Connection open = end();
        if (open == null) {
            return false;
        }
        timed = open;
        try (open) {
            open.rollback();
            open.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // The connection is lost, or was aborted meanwhile, and its transaction with it.
            return true;
        } finally {
            stopTiming();
        }
        return true;
    }

    /**
     * From here on a server that does not answer in time, because a commit hangs or the network is silent, is no longer
     * waited for: the driver's timeout ends the wait or, if the driver ignores it, the watchdog does.
     */
    private void startTiming(Connection open) throws SQLException {
        Duration lease = Duration.of(claiming.lease(), ChronoUnit.MICROS);
        Duration least = lease.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : lease;
        Duration most = least.compareTo(MOST_WAIT) > 0 ? MOST_WAIT : least;
        renew(most);
        if (timed != open) {
            networkTimeout = open.getNetworkTimeout();
            timed = open;
        }
        if (networkTimeout == 0 || networkTimeout > most.toMillis()) {
            open.setNetworkTimeout(Runnable::run, (int) most.toMillis());
        }
    }

    private void restore(Connection open) throws SQLException {
        if (timed == open) {
            open.setNetworkTimeout(Runnable::run, networkTimeout);
            stopTiming();
        }
    }

    /** After this returns, a connection that another caller may have by then is not cut. */
    private synchronized void stopTiming() {
        timed = null;
    }

    /** Cuts the connection if one of the store's own statements takes too long. */
    synchronized void abort() {
        Connection open = timed;
        try {
            if (open != null) {
                open.abort(Runnable::run);
            }
        } catch (SQLException e) {
            throw new StoreException("The connection of " + key + " could not be cut: " + e.getMessage(), e);
        }
    }

    /**
     * After a refusal by the server the transaction was rolled back. Without an answer the record decides, read under
     * the key's lock after this transaction. A live connection proves nothing, because some drivers and poolers replace
     * connections.
     */
    private boolean isKept(Connection open, Settlement.Complete done, SQLException cause) {
        if (dialect.isSafeToRepeat(cause)) {
            return false;
        }
        if (SqlStates.isRefusal(cause)) {
            throw refused(cause);
        }
        giveBack(open);
        Claim found = claimAgain(cause);
        if (found instanceof Claim.Held || (found instanceof Claim.Granted && !locks)) {
            // A statement sent before the connection was cut may still arrive: the wait has timed out, or there is no
            // lock to wait for.
            throw new OutcomeUnknown(key, grant.fence(), cause);
        }
        if (found instanceof Claim.Granted && !SqlStates.isLoss(cause)) {
            throw refused(cause);
        }
        return found instanceof Claim.Settled settled && Arrays.equals(done.result(), settled.result());
    }

    private StoreException refused(SQLException cause) {
        return StoreException.changedNothing(
                "The transaction of " + key + " could not be committed and was rolled back: " + cause.getMessage(),
                cause);
    }

    /**
     * A claim on a new connection is held off until the lost connection's transaction has ended. After it is granted, a
     * second claim reads the result, because the first may have read before it got the lock.
     */
    private Claim claimAgain(SQLException cause) {
        long end = System.nanoTime() + MOST_ENDING.toNanos();
        try {
            Connection other = open();
            try {
                Claim claim = claimed(other, end);
                if (claim instanceof Claim.Granted) {
                    other.rollback();
                    claim = claimed(other, end);
                }
                return claim;
            } finally {
                giveBack(other);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknown(key, grant.fence(), cause);
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
            throw new OutcomeUnknown(key, grant.fence(), cause);
        }
    }

    private Claim claimed(Connection other, long end) throws SQLException, InterruptedException {
        startTiming(other);
        Claim claim = claim(other).claim();
        while (claim instanceof Claim.Held && System.nanoTime() - end < 0) {
            other.rollback();
            Thread.sleep(PAUSE.toMillis());
            startTiming(other);
            claim = claim(other).claim();
        }
        return claim;
    }

    private Claim keep(Connection begun, JoinStrategy.ClaimAnswer found) {
        if (found.claim() instanceof Claim.Granted granted) {
            connection = begun;
            grant = JoinStrategy.Grant.of(claiming, granted, found.observed());
            abandoned = granted.abandoned();
            renew(Duration.of(claiming.lease(), ChronoUnit.MICROS));
            lent = LentConnection.of(begun, key, () -> connection == begun);
        }
        return found.claim();
    }

    /** The connection, for the first caller that ends the attempt; null for all others. */
    private synchronized @Nullable Connection end() {
        Connection open = connection;
        connection = null;
        lent = null;
        return open;
    }

    private Connection open() {
        try {
            return begun(source.getConnection());
        } catch (SQLException | RuntimeException e) {
            throw ConnectionFailure.of(
                    "No database connection was available to claim " + key + ": " + e.getMessage(), e);
        }
    }

    private Connection begun(Connection open) throws SQLException {
        try {
            autocommit = open.getAutoCommit();
            open.setAutoCommit(false);
            return open;
        } catch (SQLException | RuntimeException e) {
            try (open) {
                throw e;
            }
        }
    }

    /** Rolls back everything that is not committed by now. */
    private void giveBack(Connection open) {
        try (open) {
            if (!open.isClosed()) {
                open.rollback();
                open.setAutoCommit(autocommit);
                restore(open);
            }
        } catch (SQLException e) {
            // A connection that cannot even roll back is lost, and its transaction with it; the pool finds that out by
            // itself.
            return;
        }
    }
}
