// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Statistics;

/** How a {@link RocksStore} works; immutable, every method gives a changed copy. */
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
     * Acknowledges what the operating system has, before it is on disk: it survives a kill of this process, but not a loss of
     * power. The level is then BEST_EFFORT.
     */
    public RocksOptions async() {
        return new RocksOptions(false, cacheBytes, timeout, salvaging, statistics);
    }

    /** How many bytes of what was read are kept in memory, outside the heap. */
    public RocksOptions withCache(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("A cache has zero or more bytes, not " + bytes + ".");
        }
        return new RocksOptions(synced, bytes, timeout, salvaging, statistics);
    }

    /**
     * How long a caller waits for a disk that is stalled. What was not handed to it by then did not happen; what was is unknown.
     * Only the one thread that writes for all waits for as long as the disk does.
     */
    public RocksOptions withTimeout(Duration span) {
        if (span.isNegative() || span.isZero() || span.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("A time-out is above zero and at most an hour, not " + span + ".");
        }
        return new RocksOptions(synced, cacheBytes, span, salvaging, statistics);
    }

    /**
     * Opens a directory whose log is damaged, with everything that was written before the damage. What came after it is
     * dropped, although it was acknowledged: keys may be free that were not.
     */
    public RocksOptions salvaging() {
        return new RocksOptions(synced, cacheBytes, timeout, true, statistics);
    }

    /** Has RocksDB count what it does; whoever brings them closes them after the store. */
    RocksOptions countedBy(Statistics counters) {
        return new RocksOptions(synced, cacheBytes, timeout, salvaging, counters);
    }

    boolean isSynced() {
        return synced;
    }

    long cacheBytes() {
        return cacheBytes;
    }

    Duration timeout() {
        return timeout;
    }

    boolean isSalvaging() {
        return salvaging;
    }

    @Nullable
    Statistics statistics() {
        return statistics;
    }
}
