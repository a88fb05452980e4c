// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The store's own clock: it follows virtual time, but can be made to jump, forth and back. */
public final class StoreClock implements Time {

    private static final Instant BEGINNING = Instant.parse("2026-11-15T12:00:00Z");

    private final World world;
    private long ahead;
    private final List<Peak> peaks = new ArrayList<>();
    private Duration setBack = Duration.ZERO;
    private long jumpedAt = Long.MIN_VALUE;

    private record Peak(long at, long nanos) {}

    StoreClock(World world) {
        this.world = world;
    }

    @Override
    public long nanos() {
        return world.now() + ahead;
    }

    public Instant instant() {
        return BEGINNING.plusNanos(nanos());
    }

    /** The latest that this clock showed since then, in virtual time: what expired stays so, even if the clock is set back. */
    public long latestSince(long at) {
        long latest = nanos();
        for (Peak peak : peaks) {
            latest = peak.at >= at ? Math.max(latest, peak.nanos) : latest;
        }
        return latest;
    }

    public void jump(Duration span) {
        peaks.add(new Peak(world.now(), nanos()));
        ahead += span.toNanos();
        jumpedAt = world.now();
        if (span.isNegative()) {
            setBack = setBack.minus(span);
        }
    }

    /** The sum of all jumps back: so much longer everything may last. */
    public Duration setBack() {
        return setBack;
    }

    /** When it jumped last, in virtual time. */
    public long jumpedAt() {
        return jumpedAt;
    }

    @Override
    public void sleep(Duration duration) {
        throw new UnsupportedOperationException("A store does not sleep.");
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) {
        throw new UnsupportedOperationException("A store does not wait.");
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        world.after(delay, task);
    }
}
