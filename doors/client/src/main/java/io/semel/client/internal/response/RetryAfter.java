// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.response;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The time that a service asks the client to wait. */
public final class RetryAfter {

    private static final int MOST_DIGITS = 9;

    /** Null where it is not said, or not in a way that can be understood. */
    public static @Nullable Duration of(HttpHeaders headers) {
        String value = headers.firstValue("Retry-After").map(String::strip).orElse("");
        if (value.isEmpty()) {
            return null;
        }
        return value.chars().allMatch(c -> c >= '0' && c <= '9') ? seconds(value) : untilDate(value, headers);
    }

    private static Duration seconds(String digits) {
        return Duration.ofSeconds(digits.length() > MOST_DIGITS ? 999_999_999 : Long.parseLong(digits));
    }

    /** Both moments by the service's clock; ours may be wrong. */
    private static @Nullable Duration untilDate(String value, HttpHeaders headers) {
        Optional<Instant> then = date(value);
        Optional<Instant> now = headers.firstValue("Date").flatMap(RetryAfter::date);
        if (then.isEmpty() || now.isEmpty()) {
            return null;
        }
        Duration pause = Duration.between(now.get(), then.get());
        return pause.isNegative() ? Duration.ZERO : pause;
    }

    private static Optional<Instant> date(String value) {
        try {
            return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value.strip())));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private RetryAfter() {}
}
