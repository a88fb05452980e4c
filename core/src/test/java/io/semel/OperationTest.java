// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.time.KeyTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperationTest {

    @Test
    void everyChangeGivesACopy() {
        Operation before = Operation.named("charge");
        Operation after = before.lease(Duration.ofSeconds(5)).demand(Level.JOINED);

        assertThat(before.lease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(before.level()).isEqualTo(Level.BEST_EFFORT);
        assertThat(after.lease()).isEqualTo(Duration.ofSeconds(5));
        assertThat(after.level()).isEqualTo(Level.JOINED);
        assertThat(after.name()).isEqualTo("charge");
    }

    @Test
    void aChangeKeepsEveryOtherSetting() {
        Operation all = Operation.named("charge")
                .demand(Level.LEASED)
                .lease(Duration.ofSeconds(1))
                .retention(Duration.ofSeconds(2), Duration.ofSeconds(3))
                .whenAbandoned(WhenAbandoned.refuse())
                .waitWhenBusy(Duration.ofSeconds(4))
                .retryAfter(Duration.ofSeconds(5))
                .keepAnswersUpTo(6)
                .compressAbove(7)
                .keyTime(KeyTime.UUID_V7, Duration.ofSeconds(8))
                .demand(Level.JOINED);

        assertThat(all)
                .usingRecursiveComparison()
                .isEqualTo(Operation.named("charge")
                        .keyTime(KeyTime.UUID_V7, Duration.ofSeconds(8))
                        .compressAbove(7)
                        .keepAnswersUpTo(6)
                        .retryAfter(Duration.ofSeconds(5))
                        .waitWhenBusy(Duration.ofSeconds(4))
                        .whenAbandoned(WhenAbandoned.refuse())
                        .retention(Duration.ofSeconds(2), Duration.ofSeconds(3))
                        .lease(Duration.ofSeconds(1))
                        .demand(Level.JOINED));
        assertThat(all)
                .usingRecursiveComparison()
                .isNotEqualTo(Operation.named("charge").demand(Level.JOINED));
    }

    @Test
    void settingsThatMakeNoSenseAreRefusedWithTheBounds() {
        Operation operation = Operation.named("charge");

        assertThatThrownBy(() -> operation.lease(Duration.ZERO)).hasMessageContaining("PT0.01S");
        assertThatThrownBy(() -> operation.lease(Duration.ofDays(2))).hasMessageContaining("PT24H");
        assertThatThrownBy(() -> operation.waitWhenBusy(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
        assertThatThrownBy(() -> operation.keepAnswersUpTo(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> operation.retention(Duration.ZERO, Duration.ZERO))
                .hasMessageContaining("zero");
        assertThatThrownBy(() -> operation.retention(Duration.ofDays(40_000), Duration.ZERO))
                .hasMessageContaining("FOREVER");
    }
}
