// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.rocksdb.internal.format.Micros;
import io.semel.rocksdb.internal.format.StoreState;
import io.semel.time.Time;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The store's two clocks: elapsed time, by which leases and retentions run, and the machine's clock, by which dated
 * keys are judged and fences are given.
 *
 * <p>Elapsed time is monotonic while the store is open. Between two runs it moves by the time that has passed on the
 * machine's clock, never back and never by more than is trusted: a clock that is far ahead must not end leases and
 * retentions.
 */
public final class StoreClock {

    /** How far the machine's clock is trusted about the time between two runs, and distrusted when it goes back. */
    public static final Duration TRUSTED = Duration.ofHours(1);

    private static final long TRUSTED_MICROS = TRUSTED.toMillis() * 1000;

    private final Time time;
    private final InstantSource machine;
    private final long base;
    private final long origin;
    private final AtomicLong latest;

    public StoreClock(Time time, InstantSource machine, StoreState last) {
        this.time = time;
        this.machine = machine;
        this.origin = time.nanos();
        long now = Micros.of(machine.instant());
        long passed = Math.max(0, Math.min(now - last.date(), TRUSTED_MICROS));
        this.base = last.isFirst() ? now : last.time() + passed;
        this.latest = new AtomicLong(last.isFirst() ? now : last.date());
    }

    /** Elapsed time. */
    public long micros() {
        return base + (time.nanos() - origin) / 1000;
    }

    /**
     * Does not follow the machine's clock a small step back, but a large one, because then the clock was wrong before.
     */
    public long date() {
        return latest.accumulateAndGet(Micros.of(machine.instant()), StoreClock::next);
    }

    private static long next(long known, long now) {
        return now >= known || known - now > TRUSTED_MICROS ? now : known;
    }
}
