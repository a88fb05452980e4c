// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} joined to the caller's transaction: the record commits with the effect or not at all.
 *
 * <p>It uses the connection that it is given, the one of the running transaction, and no other. A concurrent duplicate never
 * waits in the database: it is told that the key is held, and its transaction can go on. Its engine asks again within
 * {@link io.semel.Operation#waitWhenBusy}.
 *
 * <p>To answer retries before their transaction is begun, make the store by {@link #on(Supplier, DataSource)} and ask
 * {@link io.semel.Engine#peek} first.
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
    /** Asked where there is no transaction; null if nothing can be asked then. */
    private final @Nullable Connections own;

    private final @Nullable CombinedLooks before;
    /** Those in flight; the record is written when they complete. */
    private final Attempts attempts = new Attempts();

    private final boolean hidesKeys;

    private JoinedStore(Joined transaction, @Nullable Connections own, boolean hidesKeys) {
        this.hidesKeys = hidesKeys;
        this.transaction = transaction;
        this.dialect = transaction.dialect();
        this.joining = Joining.of(dialect);
        this.looks = new Looks(dialect);
        this.own = own;
        this.before = own == null ? null : new CombinedLooks(own, dialect);
    }

    /**
     * A store on the connection of the transaction that runs when it is asked. Where none runs, {@link #peek} looks on a
     * connection of the data source, which may be the same pool: so {@link io.semel.Engine#peek}, asked before the
     * transaction is begun, answers retries without one.
     *
     * @param current gives the connection of the transaction that runs, or null; such as the one that Spring has bound to
     *     the thread
     * @param source the same database; refused if {@link Schema} has not been applied there
     */
    public static JoinedStore on(Supplier<? extends @Nullable Connection> current, DataSource source) {
        Dialect dialect = Schema.check(source);
        return new JoinedStore(new Joined(current, dialect), new Connections(source, dialect), false);
    }

    /**
     * A store on the connection of the transaction that runs when it is asked; without one it knows nothing.
     *
     * @param current gives that connection, such as the one that Spring has bound to the thread
     * @param dialect what {@link Schema#check} gave at start-up
     */
    public static JoinedStore on(Supplier<? extends @Nullable Connection> current, Dialect dialect) {
        return new JoinedStore(new Joined(current, dialect), null, false);
    }

    /** The same, keeping of new keys only their hash; see {@link JdbcStore#hidingKeys}. */
    public JoinedStore hidingKeys() {
        return new JoinedStore(transaction, own, true);
    }

    @Override
    public Level level() {
        return Level.JOINED;
    }

    @Override
    public Instant now() {
        long micros = own != null && !transaction.isPresent()
                ? own.autocommitting(() -> "tell the time", looks::now)
                : transaction.within("tell the time", looks::now);
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Store.Claiming.check(holder, lease);
        Claims.Claiming claiming =
                Claims.Claiming.of(dialect, call, holder, lease).hidden(hidesKeys);
        return transaction.within("claim " + call.key(), connection -> claim(connection, claiming, holder));
    }

    private Claim claim(Connection connection, Claims.Claiming claiming, String holder) throws SQLException {
        Optional<Attempts.Attempt> other = attempts.at(claiming.call().key(), connection);
        if (other.isPresent()) {
            return other.get().held();
        }
        Joining.Found found = joining.claim(connection, claiming);
        if (found.claim() instanceof Claim.Granted granted) {
            Joining.Taking taking = Joining.Taking.of(claiming, granted, found.seen());
            attempts.add(new Attempts.Attempt(holder, taking, connection, System.nanoTime()));
        }
        return found.claim();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Attempts.Attempt attempt = attempts.of(holder, key, fence).orElse(null);
        if (attempt == null) {
            return false;
        }
        if (!(settlement instanceof Settlement.Renew more) || more.lease().isZero()) {
            attempts.remove(attempt);
        }
        return transaction.within(
                "settle " + key, connection -> joining.settle(connection, attempt.taking(), settlement));
    }

    /** How many attempts are remembered. */
    int unsettled() {
        return attempts.size();
    }

    /** In the transaction that runs; where none does, on a connection of its own, together with others who look. */
    @Override
    public Optional<Claim> peek(Key key) {
        if (before == null || transaction.isPresent()) {
            return transaction
                    .within("look at " + key, connection -> looks.look(connection, dialect.binary16(key.hash())))
                    .map(Row::known);
        }
        return attempts.at(key, null)
                .map(Attempts.Attempt::held)
                .or(() -> before.look(key).map(Row::known));
    }
}
