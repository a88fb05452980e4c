// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.rocksdb.internal.database.DatabaseSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Statistics;

/** The settings of a {@link RocksStore}; immutable, every method returns a changed copy. */
public final class RocksOptions {

    /** Everything is on disk before it is acknowledged, within ten seconds; 64 MB of cache. */
    public static final RocksOptions DEFAULT = new RocksOptions(true, 64L << 20, Duration.ofSeconds(10), false, null);

    private final boolean synced;
    private final long cacheBytes;
    private final Duration timeout;
    private final boolean salvaging;
    private final @Nullable Statistics statistics;

    private RocksOptions(
            boolean synced, long cacheBytes, Duration timeout, boolean salvaging, @Nullable Statistics statistics) {
        this.synced = synced;
        this.cacheBytes = cacheBytes;
        this.timeout = timeout;
        this.salvaging = salvaging;
        this.statistics = statistics;
    }

    /**
     * Acknowledges writes once the operating system has them, before they are on disk: they survive a kill of this
     * process, but not a loss of power. The level is then BEST_EFFORT.
     */
    public RocksOptions async() {
        return new RocksOptions(false, cacheBytes, timeout, salvaging, statistics);
    }

    /** The size of the cache for reads, in memory outside the heap. */
    public RocksOptions withCache(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("A cache has zero or more bytes, not " + bytes + ".");
        }
        return new RocksOptions(synced, bytes, timeout, salvaging, statistics);
    }

    /**
     * How long a caller waits for a stalled disk. Writes not handed to the disk by then did not happen; the outcome of
     * the others is unknown. Only the one thread that writes for all waits as long as the disk does.
     */
    public RocksOptions withTimeout(Duration span) {
        if (span.isNegative() || span.isZero() || span.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("A timeout is above zero and at most an hour, not " + span + ".");
        }
        return new RocksOptions(synced, cacheBytes, span, salvaging, statistics);
    }

    /**
     * Opens a directory whose log is damaged, with everything that was written before the damage. Later writes are
     * dropped, although they were acknowledged: keys may be free that were not.
     */
    public RocksOptions salvaging() {
        return new RocksOptions(synced, cacheBytes, timeout, true, statistics);
    }

    /** Has RocksDB collect statistics; the caller closes them after the store. */
    RocksOptions countedBy(Statistics counters) {
        return new RocksOptions(synced, cacheBytes, timeout, salvaging, counters);
    }

    boolean isSynced() {
        return synced;
    }

    Duration timeout() {
        return timeout;
    }

    DatabaseSettings database() {
        return new DatabaseSettings(synced, cacheBytes, salvaging, statistics);
    }
}
