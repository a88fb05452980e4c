// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.activity;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How long things took, in steps of an eighth, from ten microseconds to two minutes. */
public final class LatencyHistogram {

    private static final int STEPS = 140;
    private static final double SHORTEST_MICROS = 10;
    private static final double STEP = 1.125;
    private static final double LOG_STEP = Math.log(STEP);

    private final AtomicIntegerArray counts = new AtomicIntegerArray(STEPS);

    public void add(Duration span) {
        double micros = span.toNanos() / 1e3;
        int step = micros <= SHORTEST_MICROS ? 0 : (int) Math.ceil(Math.log(micros / SHORTEST_MICROS) / LOG_STEP);
        counts.incrementAndGet(Math.min(step, STEPS - 1));
    }

    void add(LatencyHistogram others) {
        for (int i = 0; i < STEPS; i++) {
            counts.addAndGet(i, others.counts.get(i));
        }
    }

    /** The quantile, at most an eighth too high; zero if there are none. */
    public long micros(double part) {
        long all = 0;
        for (int i = 0; i < STEPS; i++) {
            all += counts.get(i);
        }
        long wanted = (long) Math.ceil(part * all);
        long seen = 0;
        for (int i = 0; i < STEPS && all > 0; i++) {
            seen += counts.get(i);
            if (seen >= wanted) {
                return Math.round(SHORTEST_MICROS * Math.pow(STEP, i));
            }
        }
        return 0;
    }

    public double millis(double part) {
        return micros(part) / (double) TimeUnit.MILLISECONDS.toMicros(1);
    }
}
