// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Key;
import io.semel.Level;
import io.semel.Settlement;
import io.semel.Store;
import io.semel.StoreException;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} joined to the caller's transaction: the record commits with the effect or not at all.
 *
 * <p>It uses the connection that it is given, the one of the running transaction, and no other. A concurrent duplicate
 * waits in the database until the first transaction has ended; then it gets the answer or, after a rollback, runs.
 *
 * <p>A duplicate that waits longer than the database lets it (PostgreSQL: {@code lock_timeout}, or 10 seconds if none is set;
 * MariaDB and MySQL: {@code innodb_lock_wait_timeout}; H2: {@code LOCK_TIMEOUT}) is told that the key is held, and its
 * transaction can go on.
 *
 * <p>Like every statement in a transaction, those of this store can lose against another transaction, by a deadlock or a
 * serialization failure. That is a {@link StoreException}: roll back and begin again. Whoever catches it, or
 * {@link io.semel.LeaseLost}, and commits all the same, keeps an effect without its record.
 *
 * <p>After a commit whose outcome is unknown, begin a new transaction and make the same call: it is answered, or it runs.
 *
 * <p>A {@link io.semel.Rejection} is recorded in the transaction too, and undone with it. To undo the effect and keep the
 * rejection, roll back, begin a new transaction, and make the same call there with work that throws the same rejection.
 */
public final class JoinedStore implements Store {

    private final Joined transaction;
    private final Dialect dialect;
    private final Joining joining;
    private final Looks looks;
    /** The attempts in flight, by their holders; the record is written when they complete. */
    private final Map<String, Joining.Taking> taken = new ConcurrentHashMap<>();

    private final boolean hidesKeys;

    private JoinedStore(Joined transaction, boolean hidesKeys) {
        this.hidesKeys = hidesKeys;
        this.transaction = transaction;
        this.dialect = transaction.dialect();
        this.joining = Joining.of(dialect);
        this.looks = new Looks(dialect);
    }

    /**
     * A store on the connection of the transaction that runs when it is asked.
     *
     * @param current gives that connection, such as the one that Spring has bound to the thread
     * @param dialect what {@link Schema#check} gave at start-up
     */
    public static JoinedStore on(Supplier<? extends @Nullable Connection> current, Dialect dialect) {
        return new JoinedStore(new Joined(current, dialect), false);
    }

    /** The same, keeping of new keys only their hash; see {@link JdbcStore#hidingKeys}. */
    public JoinedStore hidingKeys() {
        return new JoinedStore(transaction, true);
    }

    @Override
    public Level level() {
        return Level.JOINED;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plus(transaction.within("tell the time", looks::now), ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Store.Claiming.check(holder, lease);
        Claims.Claiming claiming =
                Claims.Claiming.of(dialect, call, holder, lease).hidden(hidesKeys);
        Joining.Found found =
                transaction.within("claim " + call.key(), connection -> joining.claim(connection, claiming));
        if (found.claim() instanceof Claim.Granted granted) {
            taken.put(holder, Joining.Taking.of(claiming, granted, found.absent()));
        }
        return found.claim();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Joining.Taking taking = taken.get(holder);
        if (taking == null
                || taking.fence() != fence
                || !taking.claiming().call().key().equals(key)) {
            return false;
        }
        if (!(settlement instanceof Settlement.Renew more) || more.lease().isZero()) {
            taken.remove(holder);
        }
        return transaction.within("settle " + key, connection -> joining.settle(connection, taking, settlement));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return transaction
                .within("look at " + key, connection -> looks.look(connection, dialect.binary16(key.hash())))
                .map(Row::known);
    }
}
