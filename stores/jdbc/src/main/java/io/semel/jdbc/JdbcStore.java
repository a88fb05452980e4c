// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} in a relational database that claims and settles in short transactions of its own.
 *
 * <p>What it acknowledges survives as far as the database's commits do: a server that does not sync them, or an H2 database
 * in memory, keeps less than LEASED says.
 */
public final class JdbcStore implements Store, Inspectable, Purgeable {

    /** For how long a claim is tried again that meets others at its row. */
    private static final long MOST_CONTENTION_NANOS = 300_000_000;
    /** A claim that took more than this fraction of its lease is late. */
    private static final int LATE = 4;

    private static final int MOST_AT_ONCE = 1000;
    /** How much longer than a batch of purging it then leaves the database to others. */
    private static final int PURGE_PAUSE = 6;

    private final DataSource source;
    private final Connections connections;
    private final Dialect dialect;
    private final Trips trips;
    private final Settles settles;
    private final Looks looks;
    private final Counting counting;
    private final Pages pages;
    private final Purge purge;
    /** Up to when everything that was over has been purged, for as long as there is more. */
    private volatile long purged = Long.MIN_VALUE;

    private final boolean hidesKeys;

    private JdbcStore(DataSource source, Dialect dialect, boolean hidesKeys) {
        this.source = source;
        this.hidesKeys = hidesKeys;
        this.connections = new Connections(source, dialect);
        this.dialect = dialect;
        this.trips = Trips.of(dialect, connections);
        this.settles = new Settles(dialect);
        this.looks = new Looks(dialect);
        this.counting = new Counting(dialect);
        this.pages = new Pages(dialect, counting);
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
        return alive(claiming(call, holder, lease), trips::claim);
    }

    /** Contention is an answer: somebody is at the key. A grant that was long in coming gets its lease anew. */
    private Claim alive(Claims.Claiming claiming, Function<Claims.Claiming, Claim> asked) {
        long start = System.nanoTime();
        Claim claim = null;
        while (claim == null) {
            try {
                claim = asked.apply(claiming);
            } catch (StoreException e) {
                if (!dialect.isContention(e)) {
                    throw e;
                }
                if (System.nanoTime() - start > MOST_CONTENTION_NANOS) {
                    return somebodyElse(claiming, e);
                }
            }
        }
        return claim instanceof Claim.Granted granted && isLate(claiming, start) && !renew(claiming, granted)
                ? claiming.inUse()
                : claim;
    }

    /** Of its own slot a holder must not be told that it is held: there it is not known what became of the claim. */
    private Claim somebodyElse(Claims.Claiming claiming, StoreException failure) {
        if (trips.look(claiming.id())
                .filter(row -> row.isHeldBy(claiming.holder()))
                .isPresent()) {
            throw failure;
        }
        return claiming.inUse();
    }

    private static boolean isLate(Claims.Claiming claiming, long start) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) > claiming.lease() / LATE;
    }

    private boolean renew(Claims.Claiming claiming, Claim.Granted granted) {
        return trips.settle(new Settles.Settle(
                claiming.call().key(),
                claiming.id(),
                claiming.holder(),
                granted.fence(),
                new Settlement.Renew(Duration.of(claiming.lease(), ChronoUnit.MICROS))));
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
                this::allAlive);
    }

    /** Together or, where that met others, each for itself. */
    private List<Claim> allAlive(List<Claims.Claiming> claimings) {
        long start = System.nanoTime();
        List<Claim> claims;
        try {
            claims = trips.claimAll(claimings);
        } catch (StoreException e) {
            if (!dialect.isContention(e)) {
                throw e;
            }
            return claimings.stream().map(each -> alive(each, trips::claim)).toList();
        }
        boolean late = claimings.stream().anyMatch(each -> isLate(each, start));
        return !late
                ? claims
                : IntStream.range(0, claims.size())
                        .mapToObj(i -> alive(claimings.get(i), each -> refreshed(each, claims.get(i))))
                        .toList();
    }

    /** The same holder may claim again, which gives its lease anew (S13). */
    private Claim refreshed(Claims.Claiming claiming, Claim claim) {
        return claim instanceof Claim.Granted ? trips.claim(claiming) : claim;
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
                () -> "list slots", connection -> pages.page(connection, view, cursor, limit));
    }

    @Override
    public Counts count() {
        return connections.autocommitting(() -> "count slots", counting::count);
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
        int count = 0;
        boolean more = true;
        while (more && count < limit) {
            int most = Math.min(MOST_AT_ONCE, limit - count);
            long start = System.nanoTime();
            int batch = purgeSome(most);
            count += batch;
            more = batch == most;
            if (more && count < limit) {
                LockSupport.parkNanos((System.nanoTime() - start) * PURGE_PAUSE);
            }
        }
        return count;
    }

    /** Goes on where the last batch ended, because a database finds rows that were just deleted in its index for a while. */
    private int purgeSome(int most) {
        Purge.Purged batch = connections.committing(() -> "purge", connection -> purge.purge(connection, purged, most));
        purged = batch.count() < most ? Long.MIN_VALUE : batch.reached();
        return batch.count();
    }

    private Claims.Claiming claiming(Call call, String holder, Duration lease) {
        return Claims.Claiming.of(dialect, call, holder, lease).hidden(hidesKeys);
    }

    private Object id(Key key) {
        return dialect.binary16(key.hash());
    }
}
