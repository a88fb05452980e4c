// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Spans in microseconds, as the script counts them: exact up to 2^53, which stands for never. */
final class Micros {

    static final long NEVER = 1L << 53;

    private static final long NANOS = 1_000;

    /** Rounded up, so that nothing ends early and the shortest span is not none. */
    static long of(Duration span) {
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

    /** What TIME says: seconds, and microseconds beyond them. */
    static Instant instant(List<byte[]> time) {
        return Instant.ofEpochSecond(number(time.get(0)), number(time.get(1)) * NANOS);
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    private Micros() {}
}
