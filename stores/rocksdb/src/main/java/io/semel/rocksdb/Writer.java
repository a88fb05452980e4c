// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.store.Combiner;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** Decides and writes for everybody, one trip after the other: who comes while one is under way goes with the next. */
final class Writer {

    private static final int MOST = 1024;

    private final Disk disk;
    private final StoreClock clock;
    private final Combiner<Errand<?>, Boolean> combiner;

    /** What the last trip left, and in which database; read again where that was opened anew. */
    private @Nullable Database known;

    private Meta meta = Meta.read(null);

    /** @param patience how long a caller waits for the disk; it does not hold up the one thread that writes */
    Writer(Disk disk, StoreClock clock, Duration patience) {
        this.disk = disk;
        this.clock = clock;
        this.combiner = new Combiner<>(1, MOST, Function.identity(), this::travel, patience);
    }

    <A> A ask(Errand.Decision<A> decision) {
        Errand<A> errand = new Errand<>(decision);
        combiner.ask(errand);
        return errand.answer();
    }

    Sight look(Id id) {
        Database database = disk.enter();
        try {
            return Sight.of(id, database);
        } finally {
            database.leave();
        }
    }

    /** Keeps the time on disk, for a clock that may be set back before the store is opened again. */
    void noteTime() {
        ask(trip -> trip.noteTime());
    }

    private List<Boolean> travel(List<Errand<?>> load) {
        Database database = disk.enterToWrite();
        try {
            if (database != known) {
                meta = database.meta();
                known = database;
            }
            travel(load, database);
        } finally {
            database.leave();
        }
        return Collections.nCopies(load.size(), true);
    }

    private void travel(List<Errand<?>> load, Database database) {
        try (Trip trip = new Trip(database, meta, clock)) {
            load.forEach(errand -> errand.run(trip));
            if (trip.hasChanges()) {
                meta = trip.commit();
            }
        } catch (RocksDBException e) {
            throw disk.failed(e);
        }
    }
}
