// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.time.KeyTime;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class HttpRulesTest {

    private static final HttpRules STANDARD = HttpRules.standard();

    @Test
    void aCopyKeepsEverySettingThatWasNotChanged() throws IllegalAccessException {
        HttpRules changed = STANDARD.keyHeaders("X-Key")
                .dialect(KeyDialect.RAW)
                .longestKey(9)
                .keys(KeyUse.REQUIRED)
                .methods("PUT")
                .namespace("n")
                .compareHeaders("V")
                .compareBodies(BodyComparison.multipart())
                .largestBody(9)
                .mismatchStatus(409)
                .statuses(StatusPolicy.standard().serverErrors(StatusPolicy.Keep.HOLD))
                .replayHeaders("X")
                .renderReplays((stored, request) -> stored)
                .failOpen()
                .advertiseRetention()
                .keyTime(KeyTime.NONE, Duration.ZERO)
                .webhookAt("/id")
                .firstSentHeader("F")
                .problemBase("p:");
        HttpRules copy = changed.problemBase("q:");

        for (Field field : HttpRules.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getName().equals("problemBase")) {
                field.setAccessible(true);
                assertThat(field.get(changed)).as(field.getName()).isNotEqualTo(field.get(STANDARD));
                assertThat(field.get(copy)).as(field.getName()).isEqualTo(field.get(changed));
            }
        }
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
        List<ThrowingCallable> settings = List.of(
                () -> STANDARD.keyHeaders(),
                () -> STANDARD.keyHeaders("Idempotency-Key", "idempotency-key"),
                () -> STANDARD.longestKey(0),
                () -> STANDARD.methods("OPTIONS"),
                () -> STANDARD.namespace(""),
                () -> STANDARD.namespace("\ud800"),
                () -> STANDARD.largestBody(-1),
                () -> STANDARD.mismatchStatus(404));
        for (ThrowingCallable setting : settings) {
            assertThatThrownBy(setting).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
