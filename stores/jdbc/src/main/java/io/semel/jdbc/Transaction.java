// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Claim;
import io.semel.Key;
import io.semel.OutcomeUnknown;
import io.semel.Settlement;
import io.semel.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One attempt's transaction, from its claim to its commit. */
final class Transaction {

    private static final int VALID_WITHIN_SECONDS = 5;
    private static final int MOST_TRIES = 10;

    private final DataSource source;
    private final Joining joining;
    private final Dialect dialect;
    private final Claims.Claiming claiming;
    private final Key key;
    /** Whether whoever asks for the key has to wait until this transaction has ended. */
    private final boolean locks;

    private @Nullable Connection connection;
    /** What its connection did when it came. */
    private boolean autocommit;

    private volatile @Nullable Connection lent;
    private volatile boolean abandoned;
    private volatile Joining.Taking taking;

    Transaction(DataSource source, Dialect dialect, Claims.Claiming claiming, boolean locks) {
        this.source = source;
        this.joining = Joining.of(dialect);
        this.dialect = dialect;
        this.claiming = claiming;
        this.key = claiming.call().key();
        this.locks = locks;
        this.taking = new Joining.Taking(claiming, 0, false);
    }

    boolean is(String holder, long named) {
        return lent != null
                && taking.fence() == named
                && Arrays.equals(claiming.holder(), Claims.Claiming.token(holder));
    }

    /** What another claim within this process is told: its own holder the same again (S13), others that it is held. */
    Claim known(Claims.Claiming other) {
        return lent != null && Arrays.equals(claiming.holder(), other.holder())
                ? new Claim.Granted(taking.fence(), abandoned)
                : new Claim.Held(claiming.call().fingerprint(), Duration.of(other.lease(), ChronoUnit.MICROS));
    }

    Connection lent(long named) {
        Connection open = lent;
        if (open == null || taking.fence() != named) {
            throw new IllegalStateException(
                    "The attempt at " + key + " (fence " + named + ") has no transaction any more.");
        }
        return open;
    }

    /** Claims the key, and keeps the connection if that is granted. */
    Claim begin() {
        Connection begun = open();
        Claim claim = null;
        try {
            claim = keep(begun, claim(begun));
            return claim;
        } catch (SQLException e) {
            throw new StoreException("The database could not claim " + key + ": " + e.getMessage(), e);
        } finally {
            if (!(claim instanceof Claim.Granted)) {
                giveBack(begun);
            }
        }
    }

    /** Nothing has been done in it yet, so it may begin again when it has lost against another. */
    private Joining.Found claim(Connection begun) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return joining.claim(begun, claiming);
            } catch (SQLException e) {
                if (tries == MOST_TRIES || !dialect.isSafeToRepeat(e)) {
                    throw e;
                }
                begun.rollback();
            }
        }
    }

    /** Begins without a lock if the key looked free. */
    Claim begin(Joining.Found found) {
        return found.claim() instanceof Claim.Granted ? keep(open(), found) : found.claim();
    }

    /** Undone, with an exception, if it cannot be kept. */
    void commit(Settlement.Complete done) {
        Connection open = end();
        boolean kept;
        try {
            kept = (!done.rejects() || undo(open)) && joining.settleAndCommit(open, taking, done);
        } catch (SQLException e) {
            kept = isKept(open, done, e);
        } finally {
            giveBack(open);
        }
        if (!kept) {
            throw StoreException.undone(
                    "The transaction of " + key
                            + " was rolled back, because another one was faster or the connection was"
                            + " lost before the commit. Nothing of it was kept; call again.",
                    null);
        }
    }

    /** Takes the effect back, and the key again if it was locked; false if somebody else has it now. */
    private boolean undo(Connection open) throws SQLException {
        open.rollback();
        if (locks) {
            Joining.Found again = claim(open);
            if (!(again.claim() instanceof Claim.Granted granted)) {
                return false;
            }
            taking = Joining.Taking.of(claiming, granted, again.absent());
        }
        return true;
    }

    void rollback() {
        giveBack(end());
    }

    /** Where the server has said that it failed, it was rolled back; where it said nothing, a new connection must tell. */
    private boolean isKept(Connection open, Settlement.Complete done, SQLException cause) {
        if (dialect.isSafeToRepeat(cause)) {
            return false;
        }
        if (isAlive(open, cause)) {
            throw StoreException.changedNothing(
                    "The transaction of " + key + " could not be committed and was rolled back: " + cause.getMessage(),
                    cause);
        }
        giveBack(open);
        Claim found = claimAgain(cause);
        if (found instanceof Claim.Held || (found instanceof Claim.Granted && !locks)) {
            // What was sent before the connection was cut may still arrive: the wait for it was in vain, or there is no
            // lock to wait for.
            throw new OutcomeUnknown(key, taking.fence(), cause);
        }
        return found instanceof Claim.Settled settled && Arrays.equals(done.result(), settled.result());
    }

    private boolean isAlive(Connection open, SQLException cause) {
        try {
            return open.isValid(VALID_WITHIN_SECONDS);
        } catch (SQLException e) {
            cause.addSuppressed(e);
            return false;
        }
    }

    /** A claim on a new connection waits until the lost one's transaction has ended. */
    private Claim claimAgain(SQLException cause) {
        try {
            Connection other = open();
            try {
                return claim(other).claim();
            } finally {
                giveBack(other);
            }
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
            throw new OutcomeUnknown(key, taking.fence(), cause);
        }
    }

    private Claim keep(Connection begun, Joining.Found found) {
        if (found.claim() instanceof Claim.Granted granted) {
            connection = begun;
            taking = Joining.Taking.of(claiming, granted, found.absent());
            abandoned = granted.abandoned();
            lent = Lent.of(begun, key);
        }
        return found.claim();
    }

    private Connection end() {
        Connection open = connection;
        if (open == null) {
            throw new IllegalStateException("The transaction of " + key + " has ended before.");
        }
        connection = null;
        lent = null;
        return open;
    }

    private Connection open() {
        try {
            return begun(source.getConnection());
        } catch (SQLException | RuntimeException e) {
            throw StoreException.changedNothing(
                    "No connection to the database could be had to claim " + key + ": " + e.getMessage(), e);
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

    /** Whatever was not committed by now is not to be. */
    private void giveBack(Connection open) {
        try (open) {
            if (!open.isClosed()) {
                open.rollback();
                open.setAutoCommit(autocommit);
            }
        } catch (SQLException e) {
            // A connection that cannot even roll back is lost, and its transaction with it; the pool finds that out by
            // itself.
            return;
        }
    }
}
