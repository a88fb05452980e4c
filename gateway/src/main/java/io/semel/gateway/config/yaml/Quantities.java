// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.yaml;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads spans of time and amounts of bytes as people write them. */
public final class Quantities {

    private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,15})(KiB|MiB|GiB)?");

    /** Reads {@code 250ms}, {@code 30s}, {@code 5m}, {@code 24h} or {@code 7d}. */
    public static Duration of(String text) {
        Matcher span = SPAN.matcher(text);
        if (!span.matches()) {
            throw new ConfigError("'" + text + "' is not a duration; write 250ms, 30s, 5m, 24h or 7d.");
        }
        long amount = Long.parseLong(span.group(1));
        return switch (span.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** Reads {@code 4096}, {@code 16KiB}, {@code 10MiB} or {@code 1GiB}, up to the most that makes sense. */
    static long bytes(String text, long most) {
        Matcher amount = BYTES.matcher(text);
        if (!amount.matches()) {
            throw new ConfigError("'" + text + "' is not a number; write 4096, 16KiB, 10MiB or 1GiB.");
        }
        String unit = amount.group(2);
        int shift = unit == null ? 0 : unit.startsWith("K") ? 10 : unit.startsWith("M") ? 20 : 30;
        long number = Long.parseLong(amount.group(1));
        if (number > most >> shift) {
            throw new ConfigError("'" + text + "' is too much; at most " + most + " is possible.");
        }
        return number << shift;
    }

    private Quantities() {}
}
