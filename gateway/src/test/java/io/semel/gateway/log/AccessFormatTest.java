// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AccessFormatTest {

    private static final Key KEY = Key.of("http/anonymous", "a");

    private static AccessLine line(String hostile) {
        return new AccessLine(
                Instant.parse("2026-01-02T03:04:05.006Z"),
                "id-1",
                null,
                "127.0.0.1",
                "POST",
                "/payments" + hostile,
                "pay",
                "http/anonymous" + hostile,
                KEY,
                "executed",
                null,
                7L,
                201,
                12,
                Duration.ofNanos(1_234_567),
                Duration.ofMillis(1),
                false);
    }

    @Test
    void textIsWordsInAFixedOrder() {
        assertThat(AccessFormat.TEXT.line(line(""), false))
                .isEqualTo("2026-01-02T03:04:05.006Z id-1 POST /payments 201 executed route=pay bytes=12 millis=1.235"
                        + " serviceMillis=1.0 keyHash=" + io.semel.observe.KeyHashes.hash(KEY)
                        + " fence=7 caller=http/anonymous client=127.0.0.1");
    }

    @Test
    void jsonHasTheSameFields() {
        JsonNode json = JsonMapper.shared().readTree(AccessFormat.JSON.line(line(""), false));

        assertThat(json.propertyNames())
                .containsExactly(
                        "at",
                        "request",
                        "method",
                        "path",
                        "status",
                        "outcome",
                        "route",
                        "bytes",
                        "millis",
                        "serviceMillis",
                        "keyHash",
                        "fence",
                        "caller",
                        "client");
        assertThat(json.path("fence").asLong()).isEqualTo(7);
        assertThat(json.path("status").isNumber()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whatAClientSentForgesNoLine(AccessFormat format) {
        String written = format.line(line("\r\n2026 x\u0085\u2028\u001b[31m\u202e\u0000\" \\ é"), true);

        assertThat(written).matches("[ -~]+");
        assertThat(written.lines()).hasSize(1);
        if (format == AccessFormat.TEXT) {
            assertThat(written.split(" ", -1)).hasSize(15);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKeyIsWrittenInTheClearOnlyOnRequest(AccessFormat format) {
        assertThat(format.line(line(""), true)).containsPattern("\"?key\"?[=:]\"?a\\b");
        assertThat(format.line(line(""), false)).doesNotContainPattern("\\bkey\\b");
    }
}
