// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.client.Given;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final String NOW = "Date: Sun, 15 Nov 2026 10:00:00 GMT";

    @Test
    void secondsAreSeconds() {
        assertThat(read("Retry-After: 120")).isEqualTo(Duration.ofMinutes(2));
        assertThat(read("Retry-After: 0")).isZero();
    }

    @Test
    void aDateCountsFromTheServicesOwnClock() {
        assertThat(read("Retry-After: Sun, 15 Nov 2026 10:01:30 GMT", NOW)).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void aDateThatHasPassedMeansNow() {
        assertThat(read("Retry-After: Sun, 15 Nov 2026 09:00:00 GMT", NOW)).isZero();
    }

    @Test
    void aDateWithoutAClockToReadItByIsNotUsed() {
        assertThat(read("Retry-After: Sun, 15 Nov 2026 10:01:30 GMT")).isNull();
    }

    @Test
    void aNumberBeyondAllMeasureIsVeryLong() {
        assertThat(read("Retry-After: 99999999999999999999")).isGreaterThan(Duration.ofDays(365));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "soon", "Sonntag, 15 Nov 2026", "١٢"})
    void whatIsNeitherIsNotUsed(String value) {
        assertThat(read("Retry-After: " + value, NOW)).isNull();
    }

    @Test
    void nothingSaysNothing() {
        assertThat(read()).isNull();
    }

    private static Duration read(String... headers) {
        return RetryAfter.of(Given.of(503, "", headers).headers());
    }
}
