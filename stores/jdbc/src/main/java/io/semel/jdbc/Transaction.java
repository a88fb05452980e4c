// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
import io.semel.OutcomeUnknown;
import io.semel.StoreException;
import io.semel.jdbc.Joining.Ending;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One attempt's transaction, from its claim to its commit. */
final class Transaction {

    private static final int MOST_TRIES = 10;
    /** How long a transaction whose connection was lost may take to end. */
    private static final Duration MOST_ENDING = Duration.ofSeconds(5);

    /** How long a server may take to answer the store itself: as long as the lease, within these bounds. */
    private static final Duration LEAST_SPEAKING = Duration.ofSeconds(5);

    private static final Duration MOST_SPEAKING = Duration.ofSeconds(15);

    private static final Duration PAUSE = Duration.ofMillis(20);

    /** Classes of SQL states in which only a server refuses, so that nothing was kept: data, constraints, state, syntax, raised. */
    private static final Set<String> REFUSALS = Set.of("22", "23", "25", "42", "44", "P0");
    /** The same of connections that were lost, or of servers that stop. */
    private static final Set<String> LOSSES = Set.of("08", "57P");

    private final DataSource source;
    /** What is said in no transaction. */
    private final Trips apart;

    private final Joining joining;
    private final Dialect dialect;
    private final Claims.Claiming claiming;
    private final Key key;
    /** Whether whoever asks for the key has to wait until this transaction has ended. */
    private final boolean locks;

    private volatile @Nullable Connection connection;
    /** A connection while it is the store itself that speaks to it, to be cut should that take too long. */
    private volatile @Nullable Connection speaking;
    /** What that connection came with. */
    private int networkTimeout;
    /** What its connection did when it came. */
    private boolean autocommit;

    private volatile @Nullable Connection lent;
    private volatile boolean abandoned;
    private volatile Joining.Taking taking;
    /** In nanoseconds of the JVM. */
    private volatile long leaseEnd;
    /** Only the lookout's own. */
    private int looksOverdue;

    Transaction(DataSource source, Dialect dialect, Trips apart, Claims.Claiming claiming, boolean locks) {
        this.source = source;
        this.apart = apart;
        // Without a lock nothing is said before the work, so there is nothing to leave a mark with.
        this.joining = locks ? Joining.of(dialect) : new JoiningByLock(false);
        this.dialect = dialect;
        this.claiming = claiming;
        this.key = claiming.call().key();
        this.locks = locks;
        this.taking = new Joining.Taking(claiming, 0, Joining.Seen.NOTHING);
    }

    boolean is(String holder, long named) {
        return lent != null
                && taking.fence() == named
                && Arrays.equals(claiming.holder(), Claims.Claiming.token(holder));
    }

    /** What another claim within this process is told: its own holder the same again (S13), others that it is held. */
    Claim known(Claims.Claiming other) {
        Duration lease = Duration.of(other.lease(), ChronoUnit.MICROS);
        if (lent == null || !Arrays.equals(claiming.holder(), other.holder())) {
            return new Claim.Held(claiming.call().fingerprint(), lease);
        }
        renew(lease);
        return new Claim.Granted(taking.fence(), abandoned);
    }

    void renew(Duration lease) {
        leaseEnd = System.nanoTime() + lease.toNanos();
    }

    /** How many looks in a row have found that nobody has renewed it. */
    int looksOverdue() {
        boolean overdue = (lent != null || speaking != null) && System.nanoTime() - leaseEnd > 0;
        looksOverdue = overdue ? looksOverdue + 1 : 0;
        return looksOverdue;
    }

    Connection lent(long named) {
        Connection open = lent;
        if (open == null || taking.fence() != named) {
            throw new IllegalStateException(
                    "The attempt at " + key + " (fence " + named + ") has no transaction any more.");
        }
        return open;
    }

    /** The database's time, for whoever has just claimed the key: nobody works with the connection yet. */
    long now(Looks looks) {
        try {
            return looks.now(lent(taking.fence()));
        } catch (SQLException e) {
            throw new StoreException("The database could not tell the time to " + key + ": " + e.getMessage(), e);
        }
    }

    /** Claims the key, and keeps the connection if that is granted. */
    Claim begin() {
        Connection begun = open();
        Claim claim = null;
        try {
            speakTo(begun);
            Joining.Found found = claim(begun);
            leaveAsItWas(begun);
            claim = keep(begun, found);
            return claim;
        } catch (SQLException e) {
            if (dialect.isContention(e)) {
                return claiming.inUse();
            }
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
    Claim begin(Joining.Found found) {
        return found.claim() instanceof Claim.Granted ? keep(open(), found) : found.claim();
    }

    /** Undone, with an exception, if it cannot be kept; false if it has ended before. */
    boolean commit(Settlement.Complete done) {
        Connection open = end();
        if (open == null) {
            return false;
        }
        Ending ending;
        try {
            speakTo(open);
            ending = done.rejects() ? reject(open, done) : joining.settleAndCommit(open, taking, done);
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

    /** Takes the effect back, and the key again if it was locked, and keeps the answer. */
    private Ending reject(Connection open, Settlement.Complete done) throws SQLException {
        if (!joining.isBegun(open, claiming)) {
            return Ending.UNKNOWN;
        }
        open.rollback();
        if (locks) {
            Joining.Found again = claim(open);
            if (again.seen().isLeftBy(claiming)) {
                return Ending.UNKNOWN;
            }
            if (!(again.claim() instanceof Claim.Granted granted)) {
                return Ending.NOT_FIRST;
            }
            taking = Joining.Taking.of(claiming, granted, again.seen());
        }
        return joining.settleAndCommit(open, taking, done);
    }

    /** False if it has ended before. */
    boolean rollback() {
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
            speakTo(open);
            return joining.isBegun(open, claiming);
        } catch (SQLException e) {
            // It is lost, and its transaction with it.
            return true;
        }
    }

    /**
     * Work that ended its transaction by itself may have kept its effect, then or later, and so may work whose connection was
     * replaced. So nothing is run again; the slot is left abandoned, for whoever calls again to meet the policy for that.
     */
    private OutcomeUnknown endedBefore() {
        IllegalStateException cause = new IllegalStateException("The transaction of " + key
                + " was ended before its work returned: the work said COMMIT or ROLLBACK, or something that commits by"
                + " itself, such as DDL, or its connection was replaced by another one. Its effect may be there, and no record"
                + " is. Look at the effect, then resolve or release the key; and leave the end of the transaction to the"
                + " store.");
        try {
            apart.claim(claiming.abandoned());
        } catch (StoreException e) {
            cause.addSuppressed(e);
        }
        return new OutcomeUnknown(key, taking.fence(), cause);
    }

    /**
     * Rolls it back because nobody is heard of any more; false if it has ended before. Its connection is not used again: whoever
     * has it may still be at it, and must not get into a transaction of somebody else.
     */
    boolean giveUp() {
        Connection open = end();
        if (open == null) {
            return false;
        }
        speaking = open;
        try (open) {
            open.rollback();
            open.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // It is lost, or aborted meanwhile, and its transaction with it.
            return true;
        } finally {
            speakToNobody();
        }
        return true;
    }

    /**
     * From here on a server that does not answer in time, for a commit that hangs or a network without a word, is not waited for:
     * by the driver and, where that does not heed it, by the lookout.
     */
    private void speakTo(Connection open) throws SQLException {
        Duration lease = Duration.of(claiming.lease(), ChronoUnit.MICROS);
        Duration least = lease.compareTo(LEAST_SPEAKING) < 0 ? LEAST_SPEAKING : lease;
        Duration most = least.compareTo(MOST_SPEAKING) > 0 ? MOST_SPEAKING : least;
        renew(most);
        if (speaking != open) {
            networkTimeout = open.getNetworkTimeout();
            speaking = open;
        }
        if (networkTimeout == 0 || networkTimeout > most.toMillis()) {
            open.setNetworkTimeout(Runnable::run, (int) most.toMillis());
        }
    }

    private void leaveAsItWas(Connection open) throws SQLException {
        if (speaking == open) {
            open.setNetworkTimeout(Runnable::run, networkTimeout);
            speakToNobody();
        }
    }

    /** Once this has returned, nobody cuts a connection that may be somebody else's by then. */
    private synchronized void speakToNobody() {
        speaking = null;
    }

    /** Cuts the connection if what the store says to it takes too long. */
    synchronized void abort() {
        Connection open = speaking;
        try {
            if (open != null) {
                open.abort(Runnable::run);
            }
        } catch (SQLException e) {
            throw new StoreException("The connection of " + key + " could not be cut: " + e.getMessage(), e);
        }
    }

    /**
     * Where the server has refused, it was rolled back. Where it said nothing, the record tells, to whoever has the key's lock after
     * this transaction. That the connection is alive would tell nothing: some drivers and poolers put another one in its place.
     */
    private boolean isKept(Connection open, Settlement.Complete done, SQLException cause) {
        if (dialect.isSafeToRepeat(cause)) {
            return false;
        }
        if (isOf(REFUSALS, cause)) {
            throw refused(cause);
        }
        giveBack(open);
        Claim found = claimAgain(cause);
        if (found instanceof Claim.Held || (found instanceof Claim.Granted && !locks)) {
            // What was sent before the connection was cut may still arrive: the wait for it was in vain, or there is no
            // lock to wait for.
            throw new OutcomeUnknown(key, taking.fence(), cause);
        }
        if (found instanceof Claim.Granted && !isOf(LOSSES, cause)) {
            throw refused(cause);
        }
        return found instanceof Claim.Settled settled && Arrays.equals(done.result(), settled.result());
    }

    private StoreException refused(SQLException cause) {
        return StoreException.changedNothing(
                "The transaction of " + key + " could not be committed and was rolled back: " + cause.getMessage(),
                cause);
    }

    private static boolean isOf(Set<String> classes, SQLException e) {
        String state = e.getSQLState();
        return state != null && classes.stream().anyMatch(state::startsWith);
    }

    /**
     * A claim on a new connection is held off until the lost one's transaction has ended. Once it is granted, the next one sees what
     * became of that: what the first one saw may be older than the lock that it got.
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
            throw new OutcomeUnknown(key, taking.fence(), cause);
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
            throw new OutcomeUnknown(key, taking.fence(), cause);
        }
    }

    private Claim claimed(Connection other, long end) throws SQLException, InterruptedException {
        speakTo(other);
        Claim claim = claim(other).claim();
        while (claim instanceof Claim.Held && System.nanoTime() - end < 0) {
            other.rollback();
            Thread.sleep(PAUSE.toMillis());
            speakTo(other);
            claim = claim(other).claim();
        }
        return claim;
    }

    private Claim keep(Connection begun, Joining.Found found) {
        if (found.claim() instanceof Claim.Granted granted) {
            connection = begun;
            taking = Joining.Taking.of(claiming, granted, found.seen());
            abandoned = granted.abandoned();
            renew(Duration.of(claiming.lease(), ChronoUnit.MICROS));
            lent = Lent.of(begun, key, () -> connection == begun);
        }
        return found.claim();
    }

    /** Its connection, for whoever is the first to end it; null for all others. */
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
            throw Unreachable.orBusy(
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
                leaveAsItWas(open);
            }
        } catch (SQLException e) {
            // A connection that cannot even roll back is lost, and its transaction with it; the pool finds that out by
            // itself.
            return;
        }
    }
}
