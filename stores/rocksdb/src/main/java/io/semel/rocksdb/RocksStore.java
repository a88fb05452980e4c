// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

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
 * A {@link Store} in a directory of this machine, on RocksDB: durable with nothing to install, for one process at a time.
 *
 * <p>Its level is LEASED: what it acknowledged is on disk, and survives a kill of the process and a loss of power; with
 * {@link RocksOptions#async} it is BEST_EFFORT. Claims and settlements of many threads share one write to the disk. When the
 * disk is full it throws, goes on answering what it can read, and takes claims again once there is room. Damaged files
 * are told, never guessed around.
 *
 * <p>Leases and retentions run by elapsed time, which no step of the machine's clock moves. Expired slots take room until
 * {@link #purge} is called.
 */
public final class RocksStore implements Store, Inspectable, Purgeable, AutoCloseable {

    private static final int PURGED_TOGETHER = 500;

    private final Level level;
    private final Disk disk;
    private final StoreClock clock;
    private final Writer writer;

    RocksStore(Path directory, RocksOptions options, Time time, InstantSource wall) {
        this.level = options.isSynced() ? Level.LEASED : Level.BEST_EFFORT;
        this.disk = new Disk(new Home(directory.toAbsolutePath()), options);
        this.clock = new StoreClock(time, wall, lastMeta());
        this.writer = new Writer(disk, clock, options.timeout());
    }

    private Meta lastMeta() {
        try {
            return read(Database::meta);
        } catch (StoreException e) {
            disk.close();
            throw e;
        }
    }

    /** Opens the store in a directory, which is made if it does not exist, and which no other process may have open. */
    public static RocksStore open(Path directory) {
        return open(directory, RocksOptions.DEFAULT);
    }

    public static RocksStore open(Path directory, RocksOptions options) {
        return new RocksStore(directory, options, Time.system(), InstantSource.system());
    }

    /**
     * Sessions in the same directory, beside the keys.
     *
     * @param most how many may live at once
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
        Sight sight = writer.look(Id.of(call.key()));
        Claim known = Claims.known(sight.row(), call, holder, clock.micros());
        if (known != null) {
            return known;
        }
        return writer.ask(trip -> Claims.decide(trip, sight, claiming));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Settling settling = new Settling(key, holder, fence, settlement);
        Sight sight = writer.look(Id.of(key));
        return Settles.applies(sight.row(), settling) && writer.ask(trip -> Settles.decide(trip, sight, settling));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        List<Sight> sights = sights(claimings, claiming -> claiming.call().key());
        long now = clock.micros();
        List<@Nullable Claim> known = new ArrayList<>(claimings.size());
        for (int i = 0; i < claimings.size(); i++) {
            Claiming each = claimings.get(i);
            known.add(Claims.known(sights.get(i).row(), each.call(), each.holder(), now));
        }
        // What is settled does not wait for the disk, unless it is asked for together with what is not.
        return known.contains(null) ? all(sights, claimings, Claims::decide) : List.copyOf(known);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return all(sights(settlings, Settling::key), settlings, Settles::decide);
    }

    private <Q> List<Sight> sights(List<Q> questions, Function<Q, Key> key) {
        return questions.stream()
                .map(question -> writer.look(Id.of(key.apply(question))))
                .toList();
    }

    private <Q, A> List<A> all(List<Sight> sights, List<Q> questions, Deciding<Q, A> deciding) {
        return writer.ask(trip -> IntStream.range(0, questions.size())
                .mapToObj(i -> deciding.decide(trip, sights.get(i), questions.get(i)))
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

    private Optional<Row> row(Key key, long now) {
        return Optional.ofNullable(writer.look(Id.of(key)).row()).filter(row -> !row.isFree(now));
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return view(all -> Paging.of(all, clock.micros(), view, cursor, limit));
    }

    @Override
    public Counts count() {
        return view(all -> Counting.of(all, clock.micros()));
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        if (verdict instanceof Settlement.Renew) {
            throw new IllegalArgumentException("A settled slot has no lease to renew; amend by Complete or Release.");
        }
        Sight sight = writer.look(Id.of(key));
        return writer.ask(trip -> Settles.amend(trip, sight, seen, verdict));
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        while (purged < limit) {
            int most = Math.min(limit - purged, PURGED_TOGETHER);
            int more = writer.ask(trip -> Purge.run(trip, most));
            if (more == 0) {
                break;
            }
            purged += more;
        }
        return purged;
    }

    /** Waits for what is under way, and lets go of the directory; whatever is asked afterwards throws. */
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

    <A> A view(Function<Moment, A> look) {
        return read(database -> {
            try (var all = new Moment(database)) {
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
        A decide(Trip trip, Sight sight, Q question);
    }
}
