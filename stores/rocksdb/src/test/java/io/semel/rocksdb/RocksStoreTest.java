// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.store.DurableStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;

/** The laws; a crash leaves the files as they are, and whatever the old store still does is seen by nobody. */
class RocksStoreTest extends DurableStoreContract {

    private static final Instant BORN = Instant.parse("2026-01-01T00:00:00Z");

    private final ManualTime time = new ManualTime();
    private final List<Path> directories = new ArrayList<>();
    private final List<RocksStore> stores = new ArrayList<>();
    private AtomicBoolean killed = new AtomicBoolean();

    RocksStoreTest() {
        start(Directories.fresh());
    }

    private void start(Path directory) {
        killed = new AtomicBoolean();
        directories.add(directory);
        stores.add(new RocksStore(directory, RocksOptions.DEFAULT, time, () -> BORN.plusNanos(time.nanos())));
    }

    private RocksStore store() {
        return stores.get(stores.size() - 1);
    }

    @Override
    protected Store open() {
        AtomicBoolean own = killed;
        return new Handle(store(), own::get);
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
    }

    @Override
    protected Store failing() {
        RocksStore closed = RocksStore.open(Directories.fresh());
        closed.close();
        return new Handle(closed, () -> false);
    }

    @Override
    protected void crash() {
        killed.set(true);
        RocksStore old = store();
        start(Directories.copy(directories.get(directories.size() - 1)));
        old.close();
    }

    @AfterAll
    void clean() {
        store().close();
        directories.forEach(Directories::delete);
    }
}
