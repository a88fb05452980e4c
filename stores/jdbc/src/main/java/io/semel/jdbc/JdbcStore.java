// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.jdbc.internal.slot.BatchedStatements;
import io.semel.jdbc.internal.slot.ClaimParameters;
import io.semel.jdbc.internal.slot.Lookups;
import io.semel.jdbc.internal.slot.SettleParameters;
import io.semel.jdbc.internal.slot.SettleStatements;
import io.semel.jdbc.internal.slot.SlotCounts;
import io.semel.jdbc.internal.slot.SlotPages;
import io.semel.jdbc.internal.slot.SlotPurge;
import io.semel.jdbc.internal.slot.SlotRow;
import io.semel.jdbc.internal.slot.StatementRunner;
import io.semel.jdbc.internal.sql.BatchSplitter;
import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.SqlDialect;
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
 * <p>Its durability is that of the database's commits: a server that does not sync them, or an H2 database in memory,
 * keeps less than LEASED says.
 */
public final class JdbcStore implements Store, Inspectable, Purgeable {

    /** For how long a claim of a contended row is retried. */
    private static final long MOST_CONTENTION_NANOS = 300_000_000;
    /** A claim that took more than this fraction of its lease is late. */
    private static final int LATE = 4;

    private static final int MOST_AT_ONCE = 1000;
    /** After each batch, a purge pauses for this many times as long as the batch took. */
    private static final int PURGE_PAUSE = 6;

    private final DataSource source;
    private final Connections connections;
    private final SqlDialect dialect;
    private final StatementRunner statements;
    private final SettleStatements settles;
    private final Lookups lookups;
    private final SlotCounts counts;
    private final SlotPages pages;
    private final SlotPurge purge;
    /** The time up to which everything due has been purged, while more is due. */
    private volatile long purged = Long.MIN_VALUE;

    private final boolean hidesKeys;

    private JdbcStore(DataSource source, SqlDialect dialect, boolean hidesKeys) {
        this.source = source;
        this.hidesKeys = hidesKeys;
        this.connections = new Connections(source, dialect);
        this.dialect = dialect;
        this.statements = StatementRunner.of(dialect, connections);
        this.settles = new SettleStatements(dialect);
        this.lookups = new Lookups(dialect);
        this.counts = new SlotCounts(dialect);
        this.pages = new SlotPages(dialect, counts);
        this.purge = new SlotPurge(dialect);
    }

    /** A store in the database behind the data source; refused if {@link Schema} has not been applied there. */
    public static JdbcStore on(DataSource source) {
        return new JdbcStore(source, Schema.check(source).sql(), false);
    }

    /**
     * A store that keeps only the hash of new keys, for keys that readers of the table must not see. Operators find
     * such a slot by its key, but it is not listed.
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
        long micros = connections.autocommitting(() -> "read the time", lookups::now);
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        return withLease(claiming(call, holder, lease), statements::claim);
    }

    /** Answers contention with Held, because another caller uses the key. A late grant gets its lease anew. */
    private Claim withLease(ClaimParameters claiming, Function<ClaimParameters, Claim> asked) {
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
                    return contended(claiming, e);
                }
            }
        }
        return claim instanceof Claim.Granted granted && isLate(claiming, start) && !renew(claiming, granted)
                ? claiming.inUse()
                : claim;
    }

    /** A holder must not be told that its own slot is held; there the outcome of the claim is unknown. */
    private Claim contended(ClaimParameters claiming, StoreException failure) {
        if (statements
                .look(claiming.id())
                .filter(row -> row.isHeldBy(claiming.holder()))
                .isPresent()) {
            throw failure;
        }
        return claiming.inUse();
    }

    private static boolean isLate(ClaimParameters claiming, long start) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) > claiming.lease() / LATE;
    }

    private boolean renew(ClaimParameters claiming, Claim.Granted granted) {
        return statements.settle(new SettleParameters(
                claiming.call().key(),
                claiming.id(),
                claiming.holder(),
                granted.fence(),
                new Settlement.Renew(Duration.of(claiming.lease(), ChronoUnit.MICROS))));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return statements.settle(SettleParameters.of(dialect, new Settling(key, holder, fence, settlement)));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        return BatchSplitter.distinct(
                claimings.stream()
                        .map(each -> claiming(each.call(), each.holder(), each.lease()))
                        .toList(),
                each -> each.call().key(),
                BatchedStatements.MOST,
                this::allWithLease);
    }

    /** Claims all together or, after contention, one by one. */
    private List<Claim> allWithLease(List<ClaimParameters> claimings) {
        long start = System.nanoTime();
        List<Claim> claims;
        try {
            claims = statements.claimAll(claimings);
        } catch (StoreException e) {
            if (!dialect.isContention(e)) {
                throw e;
            }
            return claimings.stream()
                    .map(each -> withLease(each, statements::claim))
                    .toList();
        }
        boolean late = claimings.stream().anyMatch(each -> isLate(each, start));
        return !late
                ? claims
                : IntStream.range(0, claims.size())
                        .mapToObj(i -> withLease(claimings.get(i), each -> refreshed(each, claims.get(i))))
                        .toList();
    }

    /** The same holder may claim again, which renews its lease (S13). */
    private Claim refreshed(ClaimParameters claiming, Claim claim) {
        return claim instanceof Claim.Granted ? statements.claim(claiming) : claim;
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return BatchSplitter.distinct(
                settlings.stream()
                        .map(each -> SettleParameters.of(dialect, each))
                        .toList(),
                SettleParameters::key,
                BatchedStatements.MOST,
                statements::settleAll);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return seen(key).map(SlotRow::known);
    }

    @Override
    public Optional<Slot> look(Key key) {
        return seen(key).map(row -> row.slot(key));
    }

    private Optional<SlotRow> seen(Key key) {
        return statements.look(id(key)).filter(row -> !row.isFree());
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return connections.autocommitting(
                () -> "list slots", connection -> pages.page(connection, view, cursor, limit));
    }

    @Override
    public Counts count() {
        return connections.autocommitting(() -> "count slots", counts::count);
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        Inspectable.checkVerdict(verdict);
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

    /** Continues where the last batch ended, because databases scan recently deleted index entries for a while. */
    private int purgeSome(int most) {
        SlotPurge.Purged batch =
                connections.committing(() -> "purge", connection -> purge.purge(connection, purged, most));
        purged = batch.count() < most ? Long.MIN_VALUE : batch.reached();
        return batch.count();
    }

    private ClaimParameters claiming(Call call, String holder, Duration lease) {
        return ClaimParameters.of(dialect, call, holder, lease).hidden(hidesKeys);
    }

    private Object id(Key key) {
        return dialect.binary16(key.hash());
    }
}
