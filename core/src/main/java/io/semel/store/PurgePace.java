// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import java.time.Duration;

/**
 * How long a purge leaves the store to others after each batch: a multiple of what the batch took, halved for every
 * interval in which no end of the backlog was seen, doubled for every backlog that ended within half an interval.
 */
final class PurgePace {

    /** Six times as long as a batch takes costs the hot path nothing that can be measured. */
    private static final double MOST = 6;

    private static final double LEAST = MOST / 64;
    private static final long SHORTEST = Duration.ofMillis(1).toNanos();

    private final long interval;
    private double multiple = MOST;
    /** The start of the backlog that is being worked off. */
    private long since;

    private long judged;
    private boolean behind;

    PurgePace(Duration interval) {
        this.interval = interval.toNanos();
    }

    /** The pause after a full batch: there is more. */
    synchronized Duration more(long start, long end) {
        if (!behind) {
            behind = true;
            since = start;
            judged = start;
        }
        if (end - judged >= interval) {
            multiple = Math.max(LEAST, multiple / 2);
            judged = end;
        }
        return Duration.ofNanos(Math.min(interval, Math.max(SHORTEST, (long) ((end - start) * multiple))));
    }

    /** The pause after a batch that found less than it might have dropped. */
    synchronized Duration done(long end) {
        if (behind && end - since < interval / 2) {
            multiple = Math.min(MOST, multiple * 2);
        }
        behind = false;
        return Duration.ofNanos(interval);
    }

    synchronized Duration behind(long now) {
        return behind ? Duration.ofNanos(now - since) : Duration.ZERO;
    }
}
