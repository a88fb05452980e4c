// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;

/** The laws while everybody uses both stores. */
class MigratingStoreTest extends StoreContract {

    private final ManualTime time = new ManualTime();
    private final MemoryStore old = new MemoryStore(64 << 20, time);
    private final MemoryStore next = new MemoryStore(64 << 20, time);
    /** One for all: that several act for the same holder at once is possible only within one process. */
    private final MigratingStore store = MigratingStore.of(old, next, Duration.ofHours(1), time);

    @Override
    protected Store open() {
        return store;
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
    }

    @Override
    protected Store failing() {
        return MigratingStore.of(old, new MemoryStore(0, time), Duration.ofHours(1), time);
    }
}
