// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WebhooksTest {

    private static final String ROUTES = """
        routes:
          - {path: /stripe, webhook: stripe, compare: nothing}
          - {path: /github, webhook: github}
          - {path: /svix, webhook: svix}
          - {path: /own, webhook: /event/id, key: required}
        """;

    private static String deliver(GatewayFixture rig, String path, String body, String... headers) {
        HttpRequest.Builder request = rig.to(path).POST(BodyPublishers.ofString(body));
        return rig.send((headers.length == 0 ? request : request.headers(headers)).build())
                .body();
    }

    @Test
    void eachEventIsDeliveredOnceByTheIdThatItsSenderGivesIt() {
        try (GatewayFixture rig = new GatewayFixture(ROUTES)) {
            rig.origin.behaviour = (exchange, body, effect) ->
                    CountingService.answer(exchange, 200, "seen " + rig.origin.heads.size());

            assertThat(deliver(rig, "/stripe", "{\"id\":\"evt_1\",\"n\":1}")).isEqualTo("seen 1");
            assertThat(deliver(rig, "/stripe", "{\"id\":\"evt_1\",\"n\":2}")).isEqualTo("seen 1");
            assertThat(deliver(rig, "/stripe", "{\"id\":\"evt_2\"}")).isEqualTo("seen 2");
            assertThat(deliver(rig, "/github", "{}", "X-GitHub-Delivery", "d1")).isEqualTo("seen 3");
            assertThat(deliver(rig, "/github", "{}", "X-GitHub-Delivery", "d1")).isEqualTo("seen 3");
            assertThat(deliver(rig, "/svix", "{}", "svix-id", "msg_1")).isEqualTo("seen 4");
            assertThat(deliver(rig, "/svix", "{}", "webhook-id", "msg_1")).isEqualTo("seen 4");
            assertThat(deliver(rig, "/own", "{\"event\":{\"id\":7}}")).isEqualTo("seen 5");
            assertThat(deliver(rig, "/own", "{\"event\":{\"id\":7}}")).isEqualTo("seen 5");
            assertThat(deliver(rig, "/own", "{\"event\":{}}")).contains("missing-key");
            assertThat(deliver(rig, "/own", "not json")).contains("missing-key");
            assertThat(rig.origin.heads.get(4).get("Idempotency-key")).containsExactly("\"7\"");
        }
    }

    @Test
    void aRefusedForgeryDoesNotShutTheRealEventOut() {
        try (GatewayFixture rig = new GatewayFixture(ROUTES)) {
            rig.origin.behaviour = (exchange, body, effect) -> {
                boolean good = "good".equals(exchange.getRequestHeaders().getFirst("X-Signature"));
                CountingService.answer(exchange, good ? 200 : 400, good ? "done" : "bad signature");
            };

            assertThat(deliver(rig, "/github", "{}", "X-GitHub-Delivery", "d", "X-Signature", "bad"))
                    .isEqualTo("bad signature");
            assertThat(deliver(rig, "/github", "{}", "X-GitHub-Delivery", "d", "X-Signature", "good"))
                    .isEqualTo("done");
        }
    }
}
