// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.rocksdb.internal.database.Database;
import io.semel.rocksdb.internal.database.Disk;
import io.semel.rocksdb.internal.database.ObservedRow;
import io.semel.rocksdb.internal.database.SlotCounts;
import io.semel.rocksdb.internal.database.SlotPages;
import io.semel.rocksdb.internal.database.StoreDirectory;
import io.semel.rocksdb.internal.database.StoreSnapshot;
import io.semel.rocksdb.internal.format.Micros;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SlotRow;
import io.semel.rocksdb.internal.format.StoreState;
import io.semel.rocksdb.internal.write.ChangeBatch;
import io.semel.rocksdb.internal.write.GroupWriter;
import io.semel.rocksdb.internal.write.SlotClaims;
import io.semel.rocksdb.internal.write.SlotPurge;
import io.semel.rocksdb.internal.write.SlotSettlements;
import io.semel.rocksdb.internal.write.StoreClock;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} in a directory of this machine, on RocksDB: durable with nothing to install, for one process at a
 * time.
 *
 * <p>Its level is LEASED: acknowledged writes are on disk, and survive a kill of the process and a loss of power; with
 * {@link RocksOptions#async} it is BEST_EFFORT. Claims and settlements of many threads share one write to the disk. If
 * the disk is full, writes fail, reads go on, and claims are accepted again once there is room. Damaged files are
 * reported, never worked around by guessing.
 *
 * <p>Leases and retentions run by elapsed time, which no step of the machine's clock moves. Expired slots take room
 * until {@link #purge} is called.
 */
public final class RocksStore implements Store, Inspectable, Purgeable, AutoCloseable {

    private static final int PURGED_TOGETHER = 500;

    private final Level level;
    private final Disk disk;
    private final StoreClock clock;
    private final GroupWriter writer;

    RocksStore(Path directory, RocksOptions options, Time time, InstantSource wall) {
        this.level = options.isSynced() ? Level.LEASED : Level.BEST_EFFORT;
        this.disk = new Disk(new StoreDirectory(directory.toAbsolutePath()), options.database());
        this.clock = new StoreClock(time, wall, lastState());
        this.writer = new GroupWriter(disk, clock, options.timeout());
    }

    private StoreState lastState() {
        try {
            return read(Database::meta);
        } catch (StoreException e) {
            disk.close();
            throw e;
        }
    }

    /** Opens the store in a directory, which is created if necessary, and which no other process may have open. */
    public static RocksStore open(Path directory) {
        return open(directory, RocksOptions.DEFAULT);
    }

    public static RocksStore open(Path directory, RocksOptions options) {
        return new RocksStore(directory, options, Time.system(), InstantSource.system());
    }

    /**
     * Sessions in the same directory, beside the keys.
     *
     * @param most the maximum number of live sessions
     */
    public RocksSessions sessions(int most) {
        return new RocksSessions(this, writer, most);
    }

    @Override
    public Level level() {
        return level;
    }

    @Override
    public Instant now() {
        return Micros.instant(clock.date());
    }

    long nanos() {
        return clock.micros() * Micros.NANOS;
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming claiming = new Claiming(call, holder, lease);
        ObservedRow observed = writer.look(RowId.of(call.key()));
        Claim known = SlotClaims.known(observed.row(), call, holder, clock.micros());
        if (known != null) {
            return known;
        }
        return writer.ask(batch -> SlotClaims.decide(batch, observed, claiming));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Settling settling = new Settling(key, holder, fence, settlement);
        ObservedRow observed = writer.look(RowId.of(key));
        return SlotSettlements.applies(observed.row(), settling)
                && writer.ask(batch -> SlotSettlements.decide(batch, observed, settling));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        List<ObservedRow> observed =
                observed(claimings, claiming -> claiming.call().key());
        long now = clock.micros();
        List<@Nullable Claim> known = new ArrayList<>(claimings.size());
        for (int i = 0; i < claimings.size(); i++) {
            Claiming each = claimings.get(i);
            known.add(SlotClaims.known(observed.get(i).row(), each.call(), each.holder(), now));
        }
        // Settled slots are answered without the disk, unless the batch also contains others.
        return known.contains(null) ? all(observed, claimings, SlotClaims::decide) : List.copyOf(known);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return all(observed(settlings, Settling::key), settlings, SlotSettlements::decide);
    }

    private <Q> List<ObservedRow> observed(List<Q> requests, Function<Q, Key> key) {
        return requests.stream()
                .map(request -> writer.look(RowId.of(key.apply(request))))
                .toList();
    }

    private <Q, A> List<A> all(List<ObservedRow> observed, List<Q> requests, Deciding<Q, A> deciding) {
        return writer.ask(batch -> IntStream.range(0, requests.size())
                .mapToObj(i -> deciding.decide(batch, observed.get(i), requests.get(i)))
                .toList());
    }

    @Override
    public Optional<Claim> peek(Key key) {
        long now = clock.micros();
        return row(key, now).map(row -> row.claim(now));
    }

    @Override
    public Optional<Slot> look(Key key) {
        long now = clock.micros();
        return row(key, now).map(row -> row.slot(now));
    }

    private Optional<SlotRow> row(Key key, long now) {
        return Optional.ofNullable(writer.look(RowId.of(key)).row()).filter(row -> !row.isFree(now));
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return view(all -> SlotPages.of(all, clock.micros(), view, cursor, limit));
    }

    @Override
    public Counts count() {
        return view(all -> SlotCounts.of(all, clock.micros()));
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        Inspectable.checkVerdict(verdict);
        ObservedRow observed = writer.look(RowId.of(key));
        return writer.ask(batch -> SlotSettlements.amend(batch, observed, seen, verdict));
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        while (purged < limit) {
            int most = Math.min(limit - purged, PURGED_TOGETHER);
            int more = writer.ask(batch -> SlotPurge.run(batch, most));
            if (more == 0) {
                break;
            }
            purged += more;
        }
        return purged;
    }

    /** Waits for requests in progress and releases the directory; later requests fail. */
    @Override
    public void close() {
        try {
            if (disk.isWritable()) {
                writer.noteTime();
            }
        } finally {
            disk.close();
        }
    }

    <A> A view(Function<StoreSnapshot, A> look) {
        return read(database -> {
            try (var all = new StoreSnapshot(database)) {
                return look.apply(all);
            }
        });
    }

    <A> A read(Function<Database, A> look) {
        Database database = disk.enter();
        try {
            return look.apply(database);
        } finally {
            database.leave();
        }
    }

    private interface Deciding<Q, A> {
        A decide(ChangeBatch batch, ObservedRow observed, Q request);
    }
}
