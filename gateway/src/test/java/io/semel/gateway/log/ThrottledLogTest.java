// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

class ThrottledLogTest {

    private final Lines lines = new Lines();
    private final ManualTime time = new ManualTime();
    private final ThrottledLog warnings = new ThrottledLog(lines, time);

    @Test
    void ofManyAFewAreWrittenAndTheOthersCounted() {
        for (int i = 0; i < 2000; i++) {
            warnings.warn("It failed.", new IllegalStateException("n " + i));
        }
        assertThat(lines.written).hasSize(5).containsOnly("It failed.");
        warnings.warn("Another did.", new IllegalStateException());
        assertThat(lines.written).hasSize(6);

        time.advance(Duration.ofMinutes(1));

        assertThat(lines.written).hasSize(7).last().isEqualTo("It failed. (1995 times more in the last minute)");

        warnings.warn("It failed.", "[request 1]", null);
        time.advance(Duration.ofMinutes(1));
        assertThat(lines.written).hasSize(8).last().isEqualTo("It failed. [request 1]");
    }

    private static final class Lines implements System.Logger {

        private final List<String> written = new ArrayList<>();

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            written.add(message);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... params) {
            written.add(format);
        }
    }
}
