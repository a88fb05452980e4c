// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Inspectable;
import io.semel.Key;
import io.semel.Level;
import io.semel.Purgeable;
import io.semel.Settlement;
import io.semel.Slot;
import io.semel.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} in a relational database that claims and settles in short transactions of its own.
 *
 * <p>What it acknowledges survives as far as the database's commits do: a server that does not sync them, or an H2 database
 * in memory, keeps less than LEASED says.
 */
public final class JdbcStore implements Store, Inspectable, Purgeable {

    private static final int MOST_AT_ONCE = 1000;
    /** How much longer than a batch of purging it then leaves the database to others. */
    private static final int PURGE_PAUSE = 6;

    private final DataSource source;
    private final Connections connections;
    private final Dialect dialect;
    private final Trips trips;
    private final Settles settles;
    private final Looks looks;
    private final Purge purge;

    private final boolean hidesKeys;

    private JdbcStore(DataSource source, Dialect dialect, boolean hidesKeys) {
        this.source = source;
        this.hidesKeys = hidesKeys;
        this.connections = new Connections(source, dialect);
        this.dialect = dialect;
        this.trips = Trips.of(dialect, connections);
        this.settles = new Settles(dialect);
        this.looks = new Looks(dialect);
        this.purge = new Purge(dialect);
    }

    /** A store in the database behind the data source; refused if {@link Schema} has not been applied there. */
    public static JdbcStore on(DataSource source) {
        return new JdbcStore(source, Schema.check(source), false);
    }

    /**
     * A store that keeps of new keys only their hash, for keys that nobody who can read the table may see. An operator finds
     * such a slot by its key, but lists do not show it.
     */
    public JdbcStore hidingKeys() {
        return new JdbcStore(source, dialect, true);
    }

    @Override
    public Level level() {
        return Level.LEASED;
    }

    @Override
    public Instant now() {
        long micros = connections.autocommitting(() -> "tell the time", looks::now);
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        return trips.claim(claiming(call, holder, lease));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return trips.settle(Settles.Settle.of(dialect, new Settling(key, holder, fence, settlement)));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        return Batches.distinct(
                claimings.stream()
                        .map(each -> claiming(each.call(), each.holder(), each.lease()))
                        .toList(),
                each -> each.call().key(),
                SharedTrips.MOST,
                trips::claimAll);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return Batches.distinct(
                settlings.stream().map(each -> Settles.Settle.of(dialect, each)).toList(),
                Settles.Settle::key,
                SharedTrips.MOST,
                trips::settleAll);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return seen(key).map(Row::known);
    }

    @Override
    public Optional<Slot> look(Key key) {
        return seen(key).map(row -> row.slot(key));
    }

    private Optional<Row> seen(Key key) {
        return trips.look(id(key)).filter(row -> !row.isFree());
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return connections.autocommitting(
                () -> "list slots", connection -> looks.page(connection, view, cursor, limit));
    }

    @Override
    public Counts count() {
        return connections.autocommitting(() -> "count slots", looks::count);
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        if (verdict instanceof Settlement.Renew) {
            throw new IllegalArgumentException("A settled slot has no lease to renew; amend with Complete or Release.");
        }
        return connections.autocommitting(
                () -> "amend " + key, connection -> settles.amend(connection, id(key), seen, verdict));
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        int batch = 1;
        while (batch > 0 && purged < limit) {
            int most = Math.min(MOST_AT_ONCE, limit - purged);
            long start = System.nanoTime();
            batch = connections.committing(() -> "purge", connection -> purge.purge(connection, most));
            purged += batch;
            if (batch == most && purged < limit) {
                LockSupport.parkNanos((System.nanoTime() - start) * PURGE_PAUSE);
            }
        }
        return purged;
    }

    private Claims.Claiming claiming(Call call, String holder, Duration lease) {
        return Claims.Claiming.of(dialect, call, holder, lease).hidden(hidesKeys);
    }

    private Object id(Key key) {
        return dialect.binary16(key.hash());
    }
}
