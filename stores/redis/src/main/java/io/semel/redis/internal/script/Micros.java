// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Spans in microseconds, as the scripts count them: exact up to 2^53, which stands for never. */
public final class Micros {

    public static final long NEVER = 1L << 53;

    private static final long NANOS = 1_000;

    /** Rounds up, so that nothing ends early and the shortest span is not zero. */
    public static long of(Duration span) {
        if (span.equals(Retention.FOREVER)) {
            return NEVER;
        }
        return span.getSeconds() * 1_000_000 + (span.getNano() + NANOS - 1) / NANOS;
    }

    static Duration between(long from, long to) {
        return Duration.of(Math.max(0, to - from), ChronoUnit.MICROS);
    }

    static Duration left(long until, long now) {
        return until >= NEVER ? Retention.FOREVER : between(now, until);
    }

    /** The reply of TIME: seconds, and microseconds. */
    public static Instant instant(List<byte[]> time) {
        return Instant.ofEpochSecond(number(time.get(0)), number(time.get(1)) * NANOS);
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    private Micros() {}
}
