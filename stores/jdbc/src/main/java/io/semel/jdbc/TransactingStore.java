// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.jdbc.internal.joined.AttemptTransaction;
import io.semel.jdbc.internal.joined.JoinStrategy;
import io.semel.jdbc.internal.joined.JoinStrategy.ClaimAnswer;
import io.semel.jdbc.internal.joined.LeaseWatchdog;
import io.semel.jdbc.internal.slot.BatchedLookups;
import io.semel.jdbc.internal.slot.BatchedStatements;
import io.semel.jdbc.internal.slot.ClaimParameters;
import io.semel.jdbc.internal.slot.Lookups;
import io.semel.jdbc.internal.slot.SlotRow;
import io.semel.jdbc.internal.slot.StatementRunner;
import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.time.Time;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} that begins a transaction with each claim and commits it with the answer, so that effect and record commit
 * together and nobody else has to think of it. The work asks for the {@link #connection connection} of its attempt:
 *
 * <pre>{@code
 * TransactingStore store = TransactingStore.on(dataSource);
 * Engine engine = Engine.on(store);
 * engine.run(call, codec, attempt -> charge(store.connection(attempt), order));
 * }</pre>
 *
 * <p>Work that throws is rolled back. A {@link io.semel.Rejection} is rolled back too, and then recorded. Where the connection
 * is cut during a commit, the record is looked for on a new one; if that does not tell, the caller gets
 * {@link io.semel.OutcomeUnknown}, never a guess. An attempt that is neither ended nor renewed is rolled back some seconds after
 * its lease, and its connection is closed.
 */
public final class TransactingStore implements Store {

    private final DataSource source;
    private final SqlDialect dialect;
    private final Connections connections;
    private final Lookups lookups;
    /** Looks up keys without a lock; null if keys are locked. */
    private final @Nullable BatchedStatements unlocked;

    /**
     * After a call that was not fresh, this many fresh calls in a row are looked up first; then calls begin with a
     * transaction again.
     */
    private static final int LOOKUPS_AFTER_A_RETRY = 64;

    private final BatchedLookups before;
    private final StatementRunner outside;
    private final AtomicInteger lookupsLeft = new AtomicInteger();
    private final boolean hidesKeys;
    private final ConcurrentMap<Key, AttemptTransaction> running = new ConcurrentHashMap<>();
    private final LeaseWatchdog watchdog = new LeaseWatchdog(running, Time.system());

    private TransactingStore(DataSource source, SqlDialect dialect, boolean locks, boolean hidesKeys) {
        this.hidesKeys = hidesKeys;
        this.source = source;
        this.dialect = dialect;
        this.connections = new Connections(source, dialect);
        this.lookups = new Lookups(dialect);
        this.before = new BatchedLookups(connections, dialect);
        this.outside = StatementRunner.of(dialect, connections);
        this.unlocked = locks ? null : new BatchedStatements(connections);
    }

    /** A store in the database behind the data source; refused if {@link Schema} has not been applied there. */
    public static TransactingStore on(DataSource source) {
        return new TransactingStore(source, Schema.check(source).sql(), true, false);
    }

    /**
     * The same without a lock on the key, for effects that live only in this database: two processes that get a call at
     * the same time both run it, the unique key lets one of them commit, and the other rolls back and gets that answer.
     */
    public TransactingStore optimistic() {
        if (dialect != SqlDialect.POSTGRESQL) {
            throw new IllegalArgumentException("Only on PostgreSQL can a key do without a lock; on " + dialect
                    + " the record itself is the lock. Do not call optimistic() there.");
        }
        return new TransactingStore(source, dialect, false, hidesKeys);
    }

    /** The same, keeping only the hash of new keys; see {@link JdbcStore#hidingKeys}. */
    public TransactingStore hidingKeys() {
        return new TransactingStore(source, dialect, unlocked == null, true);
    }

    /**
     * The connection of an attempt's transaction, for its work: closing it does nothing, and ending its transaction is
     * refused.
     */
    public Connection connection(Attempt attempt) {
        AttemptTransaction transaction = running.get(attempt.key());
        if (transaction == null) {
            throw new IllegalStateException("The attempt at " + attempt.key()
                    + " has no transaction in this store: it has ended, or its engine uses another store.");
        }
        return transaction.lent(attempt.fence());
    }

    @Override
    public Level level() {
        return Level.JOINED;
    }

    @Override
    public boolean commits() {
        return true;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plus(connections.autocommitting(() -> "read the time", lookups::now), ChronoUnit.MICROS);
    }

    /** Uses the grant's own connection, so that no caller waits for a second connection while it holds one. */
    @Override
    public Instant now(Key held) {
        AttemptTransaction transaction = running.get(held);
        return transaction == null ? now() : Instant.EPOCH.plus(transaction.now(lookups), ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        ClaimParameters claiming =
                ClaimParameters.of(dialect, call, holder, lease).hidden(hidesKeys);
        AttemptTransaction transaction = new AttemptTransaction(source, dialect, outside, claiming, unlocked == null);
        AttemptTransaction other = running.putIfAbsent(call.key(), transaction);
        if (other != null) {
            // Callers in this process do not wait in the database, where each of them would need a connection.
            return other.known(claiming);
        }
        Claim claim = null;
        try {
            watchdog.watch();
            claim = begin(transaction, claiming);
            return claim;
        } finally {
            if (!(claim instanceof Claim.Granted)) {
                running.remove(call.key(), transaction);
            }
        }
    }

    private Claim begin(AttemptTransaction transaction, ClaimParameters claiming) {
        if (unlocked != null) {
            return transaction.begin(ClaimAnswer.of(unlocked.lookWithTime(claiming.id()), claiming.call()));
        }
        Claim claim = answered(claiming).orElseGet(transaction::begin);
        if (claim instanceof Claim.Granted) {
            lookupsLeft.updateAndGet(left -> Math.max(0, left - 1));
        } else {
            lookupsLeft.set(LOOKUPS_AFTER_A_RETRY);
        }
        return claim;
    }

    /** While retries arrive, concurrent ones are answered by one lookup instead of a transaction each. */
    private Optional<Claim> answered(ClaimParameters claiming) {
        Call call = claiming.call();
        return lookupsLeft.get() == 0
                ? Optional.empty()
                : before.look(call.key())
                        .filter(row -> !JoinStrategy.isTakeable(row, call))
                        .map(SlotRow::known);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        AttemptTransaction transaction = running.get(key);
        if (transaction == null || !transaction.is(holder, fence)) {
            return false;
        }
        if (settlement instanceof Settlement.Renew more && !more.lease().isZero()) {
            transaction.renew(more.lease());
            return true;
        }
        try {
            return settlement instanceof Settlement.Complete done ? transaction.commit(done) : transaction.rollback();
        } finally {
            running.remove(key, transaction);
        }
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return before.look(key).map(SlotRow::known);
    }
}
