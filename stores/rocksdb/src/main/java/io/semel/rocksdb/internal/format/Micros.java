// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import io.semel.Retention;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Stored times: microseconds since 1970, the largest number for never. */
public final class Micros {

    static final long NEVER = Long.MAX_VALUE;

    /** Nanoseconds in a microsecond. */
    public static final long NANOS = 1000;

    private static final long SECOND = 1_000_000;

    /** Rounds up, so that a span above zero never becomes zero. */
    public static long after(long from, Duration span) {
        if (from == NEVER || span.compareTo(Retention.LONGEST) > 0) {
            return NEVER;
        }
        return from + span.getSeconds() * SECOND + (span.getNano() + 999) / 1000;
    }

    static Duration left(long until, long now) {
        return until == NEVER ? Retention.FOREVER : between(now, Math.max(now, until));
    }

    static Duration between(long from, long to) {
        return Duration.of(to - from, ChronoUnit.MICROS);
    }

    public static long of(Instant instant) {
        return instant.getEpochSecond() * SECOND + instant.getNano() / 1000;
    }

    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private Micros() {}
}
