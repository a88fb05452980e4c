// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;

/** A flaky store that nothing is asked of keeps every law. */
class FlakyStoreContractTest extends StoreContract {

    private final ManualTime time = new ManualTime();
    private final MemoryStore inner = new MemoryStore(256 << 20, time);

    @Override
    protected Store open() {
        return FlakyStore.on(inner, time);
    }

    @Override
    protected void elapse(Duration span) {
        time.advance(span);
    }

    @Override
    protected Store failing() {
        FlakyStore down = FlakyStore.on(inner, time);
        down.down();
        return down;
    }
}
