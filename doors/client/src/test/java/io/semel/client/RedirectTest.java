// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.client.Result.Answered;
import io.semel.client.Server.Act;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectTest {

    private final RetryingClient client = RetryingClient.over(HttpClient.newHttpClient())
            .with(RetryPolicy.standard().pauses(Duration.ofMillis(1), Duration.ofMillis(10)));

    @ParameterizedTest
    @ValueSource(ints = {307, 308})
    void redirectsThatKeepTheRequestAreFollowedUnderTheSameKey(int status) throws IOException {
        try (Server server =
                Server.doing(Act.answer(status, "", "Location: /v2/payments?a=b"), Act.answer(201, "paid"))) {
            Answered answered = (Answered) client.send(server.pay());

            assertThat(answered.response().statusCode()).isEqualTo(201);
            assertThat(answered.attempts()).isEqualTo(1);
            assertThat(server.keys()).hasSize(1);
            assertThat(server.received.get(1).line()).isEqualTo("POST /v2/payments?a=b HTTP/1.1");
            assertThat(server.received.get(1).body()).isEqualTo("{\"amountCents\":500}");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303})
    void redirectsThatTurnAPostIntoAGetAreAnswers(int status) throws IOException {
        try (Server server = Server.doing(Act.answer(status, "", "Location: /v2/payments"))) {
            Answered answered = (Answered) client.send(server.pay());

            assertThat(answered.response().statusCode()).isEqualTo(status);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void redirectsToStrangersAreAnswersSoThatNoCredentialsGoThere() throws IOException {
        try (Server stranger = Server.doing(Act.answer(201, "thanks"));
                Server server = Server.doing(Act.answer(307, "", "Location: " + stranger.uri("/payments")))) {
            Answered answered = (Answered) client.send(server.pay().header("Authorization", "Bearer s3cret"));

            assertThat(answered.response().statusCode()).isEqualTo(307);
            assertThat(stranger.received).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Location: http://[", "X-None: 1", "Location: ftp://127.0.0.1/", "Location: mailto:a@b"})
    void redirectsToNowhereAreAnswers(String location) throws IOException {
        try (Server server = Server.doing(Act.answer(307, "", location))) {
            assertThat(client.send(server.pay())).isInstanceOf(Answered.class);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void aCircleOfRedirectsEnds() throws IOException {
        try (Server server = Server.doing(Act.answer(307, "", "Location: /payments"))) {
            assertThat(client.send(server.pay())).isInstanceOf(Answered.class);
            assertThat(server.received).hasSize(6);
        }
    }

    @Test
    void aRetryBeginsWhereTheFirstAttemptBegan() throws IOException {
        Act moved = Act.answer(307, "", "Location: /v2/payments");
        try (Server server = Server.doing(moved, Act.reset(), moved, Act.answer(201, "paid"))) {
            assertThat(client.send(server.pay()).attempts()).isEqualTo(2);
            assertThat(server.received)
                    .extracting(Server.Received::line)
                    .containsExactly(
                            "POST /payments HTTP/1.1",
                            "POST /v2/payments HTTP/1.1",
                            "POST /payments HTTP/1.1",
                            "POST /v2/payments HTTP/1.1");
        }
    }
}
