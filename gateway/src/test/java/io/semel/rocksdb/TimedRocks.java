// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Instant;

/** RocksDB stores whose time passes when a test says so, for tests of other modules. */
public final class TimedRocks {

    private static final Instant BORN = Instant.parse("2026-01-01T00:00:00Z");

    public static RocksStore open(Path directory, ManualTime time) {
        return new RocksStore(directory, RocksOptions.DEFAULT, time, () -> BORN.plusNanos(time.nanos()));
    }

    private TimedRocks() {}
}
