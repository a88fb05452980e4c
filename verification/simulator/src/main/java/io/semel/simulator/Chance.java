// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** The one source of chance in a run: everything that could go this way or that asks here, so the seed decides it. */
public final class Chance {

    private final SplittableRandom random;

    Chance(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** True with this probability. */
    public boolean of(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** From zero to just below the bound. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** From the first to the last, both included. */
    public int between(int first, int last) {
        return random.nextInt(first, last + 1);
    }

    public Duration between(Duration shortest, Duration longest) {
        return Duration.ofNanos(random.nextLong(shortest.toNanos(), longest.toNanos() + 1));
    }

    /** A part of the span, anywhere between the two factors. */
    public Duration partOf(Duration span, double from, double to) {
        return Duration.ofNanos((long) (span.toNanos() * (from + (to - from) * random.nextDouble())));
    }

    public double fraction() {
        return random.nextDouble();
    }

    public <T> T pick(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }
}
