// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.session.InspectableSessions;
import io.semel.session.SessionStore;
import io.semel.testkit.ManualTime;
import io.semel.testkit.session.InspectableSessionContract;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** The laws of sessions. */
class RocksSessionsTest extends InspectableSessionContract {

    private static final Instant BORN = Instant.parse("2026-01-01T00:00:00Z");

    private final ManualTime time = new ManualTime();
    private final List<Path> directories = new ArrayList<>();
    private final List<RocksStore> stores = new ArrayList<>();
    private final RocksStore shared = store();

    private RocksStore store() {
        Path directory = Directories.fresh();
        RocksStore store = new RocksStore(
                directory, RocksOptions.DEFAULT.withCache(1 << 20), time, () -> BORN.plusNanos(time.nanos()));
        directories.add(directory);
        stores.add(store);
        return store;
    }

    @Override
    protected InspectableSessions open() {
        return shared.sessions(10_000);
    }

    @Override
    protected SessionStore withRoomFor(int sessions) {
        return store().sessions(sessions);
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
    }

    @AfterAll
    void clean() {
        stores.forEach(RocksStore::close);
        directories.forEach(Directories::delete);
    }
}
