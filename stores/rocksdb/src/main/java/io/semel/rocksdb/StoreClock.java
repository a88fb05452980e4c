// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Time;
import java.time.InstantSource;

/**
 * The store's own time: it starts from the machine's clock, or from the last time on disk if that is later, and then runs
 * by monotonic time. So neither a clock that is set back while the store is open, nor one set back in between, turns it back.
 */
final class StoreClock {

    private final Time time;
    private final long base;
    private final long origin;

    StoreClock(Time time, InstantSource wall, long lastOnDisk) {
        this.time = time;
        this.origin = time.nanos();
        this.base = Math.max(Micros.of(wall.instant()), lastOnDisk);
    }

    long micros() {
        return base + (time.nanos() - origin) / 1000;
    }
}
