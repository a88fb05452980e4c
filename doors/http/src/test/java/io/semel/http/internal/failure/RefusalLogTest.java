// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.Problem;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

class RefusalLogTest {

    private final List<String> written = new ArrayList<>();
    private final ManualTime time = new ManualTime();
    private final RefusalLog log = new RefusalLog(new Lines(), time);

    @Test
    void aFloodOfBadKeysIsOneLineAMinute() {
        for (int i = 0; i < 2_000; i++) {
            log.refused(Problem.Type.FUTURE_DATED, null);
        }
        log.refused(Problem.Type.MALFORMED_KEY, null);
        assertThat(written).isEmpty();

        time.advance(Duration.ofMinutes(1));

        assertThat(written)
                .containsExactly("INFO Requests with idempotency keys that were refused within a minute:"
                        + " malformed-key 1, future-dated 2000");
    }

    @Test
    void aMinuteWithoutRefusalsIsNotSummedUp() {
        log.refused(Problem.Type.MISSING_KEY, null);
        time.advance(Duration.ofMinutes(10));
        log.refused(Problem.Type.GONE, null);
        time.advance(Duration.ofMinutes(10));

        String sum = "INFO Requests with idempotency keys that were refused within a minute: ";
        assertThat(written).containsExactly(sum + "missing-key 1", sum + "gone 1");
    }

    @Test
    void aFailureOfOursIsWrittenWithItsTraceOnceAMinute() {
        for (int i = 0; i < 100; i++) {
            log.refused(Problem.Type.STORE_UNAVAILABLE, new IllegalStateException("cut"));
        }

        assertThat(written)
                .containsExactly("WARNING A request with an idempotency key was refused as store-unavailable: cut");
    }

    /** Not for those who want to read each of them. */
    private final class Lines implements System.Logger {

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return level.getSeverity() >= Level.INFO.getSeverity();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            written.add(level + " " + message + ": " + thrown.getMessage());
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            if (isLoggable(level)) {
                written.add(level + " " + format);
            }
        }
    }
}
