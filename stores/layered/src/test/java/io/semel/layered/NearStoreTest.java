// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;

/** The laws with answers near each handle, kept for as long as their retention. */
class NearStoreTest extends StoreContract {

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(64 << 20, time);

    @Override
    protected Store open() {
        return near(store);
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
    }

    @Override
    protected Store failing() {
        return near(new MemoryStore(0, time));
    }

    private CachedStore near(Store truth) {
        return CachedStore.over(truth, NearAnswers.ofBytes(8 << 20, time))
                .freshFor(Duration.ofDays(36_500))
                .timedBy(time);
    }
}
