// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
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
    private final Dialect dialect;
    private final Connections connections;
    private final Looks looks;
    /** How to look at a key without a lock; null where it is locked. */
    private final @Nullable SharedTrips unlocked;

    /** How many fresh calls in a row make it begin with a transaction again, after one that was not fresh. */
    private static final int LOOKS_AFTER_A_RETRY = 64;

    private final CombinedLooks before;
    private final Trips apart;
    private final AtomicInteger looksLeft = new AtomicInteger();
    private final boolean hidesKeys;
    private final ConcurrentMap<Key, Transaction> running = new ConcurrentHashMap<>();
    private final Lookout lookout = new Lookout(running, Time.system());

    private TransactingStore(DataSource source, Dialect dialect, boolean locks, boolean hidesKeys) {
        this.hidesKeys = hidesKeys;
        this.source = source;
        this.dialect = dialect;
        this.connections = new Connections(source, dialect);
        this.looks = new Looks(dialect);
        this.before = new CombinedLooks(connections, dialect);
        this.apart = Trips.of(dialect, connections);
        this.unlocked = locks ? null : new SharedTrips(connections);
    }

    /** A store in the database behind the data source; refused if {@link Schema} has not been applied there. */
    public static TransactingStore on(DataSource source) {
        return new TransactingStore(source, Schema.check(source), true, false);
    }

    /**
     * The same without a lock on the key, for effects that live only in this database: two processes that get a call at the
     * same time both run it, the unique key lets one of them commit, and the other rolls back and gets that one's answer.
     */
    public TransactingStore optimistic() {
        if (dialect != Dialect.POSTGRESQL) {
            throw new IllegalArgumentException("Only on PostgreSQL a key can do without a lock; on " + dialect
                    + " the record itself is the lock. Leave optimistic() out.");
        }
        return new TransactingStore(source, dialect, false, hidesKeys);
    }

    /** The same, keeping of new keys only their hash; see {@link JdbcStore#hidingKeys}. */
    public TransactingStore hidingKeys() {
        return new TransactingStore(source, dialect, unlocked == null, true);
    }

    /** The connection of an attempt's transaction, for its work: closing it does nothing, ending its transaction is refused. */
    public Connection connection(Attempt attempt) {
        Transaction transaction = running.get(attempt.key());
        if (transaction == null) {
            throw new IllegalStateException("The attempt at " + attempt.key()
                    + " has no transaction in this store: it has" + " ended, or its engine is on another store.");
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
        return Instant.EPOCH.plus(connections.autocommitting(() -> "tell the time", looks::now), ChronoUnit.MICROS);
    }

    /** By the connection that the grant keeps: nobody waits for a second one while he holds one. */
    @Override
    public Instant now(Key held) {
        Transaction transaction = running.get(held);
        return transaction == null ? now() : Instant.EPOCH.plus(transaction.now(looks), ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        Claims.Claiming claiming =
                Claims.Claiming.of(dialect, call, holder, lease).hidden(hidesKeys);
        Transaction transaction = new Transaction(source, dialect, apart, claiming, unlocked == null);
        Transaction other = running.putIfAbsent(call.key(), transaction);
        if (other != null) {
            // Within this process nobody waits in the database, where each of them would need a connection.
            return other.known(claiming);
        }
        Claim claim = null;
        try {
            lookout.watch();
            claim = begin(transaction, claiming);
            return claim;
        } finally {
            if (!(claim instanceof Claim.Granted)) {
                running.remove(call.key(), transaction);
            }
        }
    }

    private Claim begin(Transaction transaction, Claims.Claiming claiming) {
        if (unlocked != null) {
            return transaction.begin(unlocked.foresee(claiming));
        }
        Claim claim = answered(claiming).orElseGet(transaction::begin);
        if (claim instanceof Claim.Granted) {
            looksLeft.updateAndGet(left -> Math.max(0, left - 1));
        } else {
            looksLeft.set(LOOKS_AFTER_A_RETRY);
        }
        return claim;
    }

    /** While retries come, those who come together are answered by one look, without a transaction each. */
    private Optional<Claim> answered(Claims.Claiming claiming) {
        Call call = claiming.call();
        return looksLeft.get() == 0
                ? Optional.empty()
                : before.look(call.key())
                        .filter(row -> !Joining.isTakeable(row, call))
                        .map(Row::known);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Transaction transaction = running.get(key);
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
        return before.look(key).map(Row::known);
    }
}
