// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.memory;

import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;

class MemoryStoreTest extends StoreContract {

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(64 << 20, time);

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
        return new MemoryStore(0, time);
    }
}
