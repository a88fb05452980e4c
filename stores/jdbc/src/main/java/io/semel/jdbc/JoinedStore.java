// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.jdbc.internal.joined.JoinStrategy;
import io.semel.jdbc.internal.joined.OpenAttempts;
import io.semel.jdbc.internal.slot.BatchedLookups;
import io.semel.jdbc.internal.slot.ClaimParameters;
import io.semel.jdbc.internal.slot.Lookups;
import io.semel.jdbc.internal.slot.SlotRow;
import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.JoinedTransaction;
import io.semel.jdbc.internal.sql.SqlDialect;
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
 * <p>It uses only the connection of the running transaction. A concurrent duplicate never waits in the database: it is
 * told that the key is held, and its transaction can go on. Its engine asks again within {@link
 * io.semel.Operation#waitWhenBusy}.
 *
 * <p>To answer retries before their transaction is begun, make the store by {@link #on(Supplier, DataSource)} and ask
 * {@link io.semel.Engine#peek} first.
 *
 * <p>Like every statement in a transaction, those of this store can fail by a deadlock or a serialization failure. That
 * is a {@link StoreException}: roll back and begin again. A caller that catches it, or {@link io.semel.LeaseLost}, and
 * commits all the same keeps an effect without its record.
 *
 * <p>After a commit whose outcome is unknown, begin a new transaction and make the same call: it is answered, or it
 * runs.
 *
 * <p>A {@link io.semel.Rejection} is recorded in the transaction too, and undone with it. To undo the effect and keep
 * the rejection, roll back, begin a new transaction, and make the same call there with work that throws the same
 * rejection.
 */
public final class JoinedStore implements Store {

    private final JoinedTransaction transaction;
    private final SqlDialect dialect;
    private final JoinStrategy joining;
    private final Lookups lookups;
    /** Used outside transactions; null if the store has no connections of its own. */
    private final @Nullable Connections own;

    private final @Nullable BatchedLookups before;
    /** The attempts in flight; their records are written when they complete. */
    private final OpenAttempts attempts = new OpenAttempts();

    private final boolean hidesKeys;

    private JoinedStore(JoinedTransaction transaction, @Nullable Connections own, boolean hidesKeys) {
        this.hidesKeys = hidesKeys;
        this.transaction = transaction;
        this.dialect = transaction.dialect();
        this.joining = JoinStrategy.of(dialect);
        this.lookups = new Lookups(dialect);
        this.own = own;
        this.before = own == null ? null : new BatchedLookups(own, dialect);
    }

    /**
     * A store on the connection of the running transaction. Outside a transaction, {@link #peek} uses a connection of
     * the data source, which may be the same pool: so {@link io.semel.Engine#peek}, asked before the transaction is
     * begun, answers retries without one.
     *
     * @param current gives the connection of the running transaction, or null; such as the one that Spring has bound to
     *     the thread
     * @param source the same database; refused if {@link Schema} has not been applied there
     */
    public static JoinedStore on(Supplier<? extends @Nullable Connection> current, DataSource source) {
        SqlDialect dialect = Schema.check(source).sql();
        return new JoinedStore(new JoinedTransaction(current, dialect), new Connections(source, dialect), false);
    }

    /**
     * A store on the connection of the running transaction; outside a transaction it cannot answer.
     *
     * @param current gives that connection, such as the one that Spring has bound to the thread
     * @param dialect the result of {@link Schema#check} at start-up
     */
    public static JoinedStore on(Supplier<? extends @Nullable Connection> current, Dialect dialect) {
        return new JoinedStore(new JoinedTransaction(current, dialect.sql()), null, false);
    }

    /** The same, keeping only the hash of new keys; see {@link JdbcStore#hidingKeys}. */
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
                ? own.autocommitting(() -> "read the time", lookups::now)
                : transaction.within("read the time", lookups::now);
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Store.Claiming.check(holder, lease);
        ClaimParameters claiming =
                ClaimParameters.of(dialect, call, holder, lease).hidden(hidesKeys);
        return transaction.within("claim " + call.key(), connection -> claim(connection, claiming, holder));
    }

    private Claim claim(Connection connection, ClaimParameters claiming, String holder) throws SQLException {
        Optional<OpenAttempts.OpenAttempt> other = attempts.at(claiming.call().key(), connection);
        if (other.isPresent()) {
            return other.get().held();
        }
        JoinStrategy.ClaimAnswer found = joining.claim(connection, claiming);
        if (found.claim() instanceof Claim.Granted granted) {
            JoinStrategy.Grant grant = JoinStrategy.Grant.of(claiming, granted, found.observed());
            attempts.add(new OpenAttempts.OpenAttempt(holder, grant, connection, System.nanoTime()));
        }
        return found.claim();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        OpenAttempts.OpenAttempt attempt = attempts.of(holder, key, fence).orElse(null);
        if (attempt == null) {
            return false;
        }
        if (!(settlement instanceof Settlement.Renew more) || more.lease().isZero()) {
            attempts.remove(attempt);
        }
        return transaction.within(
                "settle " + key, connection -> joining.settle(connection, attempt.grant(), settlement));
    }

    /** The number of attempts remembered. */
    int unsettled() {
        return attempts.size();
    }

    /** In the running transaction; without one, on a connection of its own, batched with other lookups. */
    @Override
    public Optional<Claim> peek(Key key) {
        if (before == null || transaction.isPresent()) {
            return transaction
                    .within("look up " + key, connection -> lookups.look(connection, dialect.binary16(key.hash())))
                    .map(SlotRow::known);
        }
        return attempts.at(key, null)
                .map(OpenAttempts.OpenAttempt::held)
                .or(() -> before.look(key).map(SlotRow::known));
    }
}
