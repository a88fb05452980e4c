// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a browser is told about who may read a kept answer. */
@Timeout(60)
class ReplaysInBrowsersTest {

    private ScriptedService service;
    private GatewayFixture rig;

    @BeforeEach
    void start() throws IOException {
        service = new ScriptedService("");
        rig = new GatewayFixture(service.route());
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
        service.close();
    }

    private void answering(String... lines) {
        service.answer = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n" + String.join("\r\n", lines) + "\r\n\r\nok";
    }

    private String pay(String origin) throws IOException {
        String line = origin.isEmpty() ? "" : "Origin: " + origin + "\r\n";
        String answer = RawHttp.send(
                rig.port(),
                "POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\r\nContent-Length: 0\r\nConnection: close\r\n" + line
                        + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 201");
        return answer.toLowerCase(java.util.Locale.ROOT);
    }

    @Test
    void aRetryOfTheSameOriginMayReadTheAnswer() throws IOException {
        answering(
                "Access-Control-Allow-Origin: https://shop.example",
                "Access-Control-Allow-Credentials: true",
                "Access-Control-Expose-Headers: Location",
                "Vary: Origin");
        pay("https://shop.example");

        assertThat(pay("https://shop.example"))
                .contains("\r\nidempotent-replayed: true\r\n")
                .containsOnlyOnce("\r\naccess-control-allow-origin: https://shop.example\r\n")
                .contains("\r\naccess-control-allow-credentials: true\r\n")
                .contains("\r\naccess-control-expose-headers: location\r\n")
                .containsOnlyOnce("\r\nvary: origin\r\n");
        assertThat(service.requests).hasSize(1);
    }

    @Test
    void anotherOriginIsToldNothingOfTheFirst() throws IOException {
        answering("Access-Control-Allow-Origin: https://shop.example", "Access-Control-Allow-Credentials: true");
        pay("https://shop.example");

        for (String origin : new String[] {"https://evil.example", "https://shop.example.evil", "null", ""}) {
            assertThat(pay(origin))
                    .contains("\r\nidempotent-replayed: true\r\n")
                    .doesNotContain("access-control-")
                    .containsOnlyOnce("\r\nvary: origin\r\n");
        }
    }

    @Test
    void whatEverybodyMayReadEverybodyMayReadAgain() throws IOException {
        answering("Access-Control-Allow-Origin: *", "Vary: Accept");
        pay("https://shop.example");

        assertThat(pay("https://other.example"))
                .contains("\r\naccess-control-allow-origin: *\r\n", "\r\nvary: accept\r\n")
                .doesNotContain("vary: origin");
    }

    @Test
    void nothingIsToldWhereTheServiceToldNothing() throws IOException {
        answering();
        pay("https://shop.example");

        assertThat(pay("https://shop.example")).doesNotContain("access-control-", "\r\nvary:");
    }
}
