// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** How long an answer is replayed, counted from completion, and how much longer its key is refused as GONE. */
public record Retention(Duration retention, Duration remembrance) {

    /** A span that never ends. */
    public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** The longest span beside {@link #FOREVER}: about a hundred years, so that no store's clock overflows. */
    public static final Duration LONGEST = Duration.ofDays(36_500);

    /** A day of replays, and one more day in which the key is refused instead of run again. */
    public static final Retention DEFAULT = new Retention(Duration.ofDays(1), Duration.ofDays(1));

    /** Replayed until somebody amends it. */
    public static final Retention UNENDING = new Retention(FOREVER, Duration.ZERO);

    public Retention {
        check("retention", retention);
        check("remembrance", remembrance);
        if (retention.isZero()) {
            throw new IllegalArgumentException("A retention of zero would forget the answer before any retry comes.");
        }
    }

    public static Retention of(Duration retention, Duration remembrance) {
        return new Retention(retention, remembrance);
    }

    private static void check(String what, Duration span) {
        boolean bounded = !span.isNegative() && span.compareTo(LONGEST) <= 0;
        if (!bounded && !span.equals(FOREVER)) {
            throw new IllegalArgumentException("A " + what + " is from zero to " + LONGEST.toDays()
                    + " days, or FOREVER; this one is " + span + ".");
        }
    }
}
