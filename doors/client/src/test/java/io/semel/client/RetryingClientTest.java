// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.semel.client.Result.Answered;
import io.semel.client.Result.CarriedOut;
import io.semel.client.Result.NotSent;
import io.semel.client.Result.Refused;
import io.semel.client.Result.Unknown;
import io.semel.client.Server.Act;
import io.semel.time.KeyTime;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryingClientTest {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private static final RetryPolicy QUICK = RetryPolicy.standard()
            .pauses(Duration.ofMillis(1), Duration.ofMillis(10))
            .deadline(Duration.ofSeconds(20));
    private static final RetryPolicy FEW = QUICK.budget(2, 0);
    private static final RetryPolicy SHORT =
            QUICK.deadline(Duration.ofMillis(1500)).attemptTimeout(Duration.ofMillis(700));

    private final RetryingClient client = RetryingClient.over(HTTP).with(QUICK);

    @Test
    void aFirstAnswerIsTakenAndMarkedAsFirst() throws IOException {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            Answered answered = (Answered) client.send(server.pay());

            assertThat(answered.response().statusCode()).isEqualTo(201);
            assertThat(answered.response().body()).asString(UTF_8).isEqualTo("paid");
            assertThat(answered.replayed()).isFalse();
            assertThat(answered.attempts()).isEqualTo(1);
            assertThat(answered.carriedOut()).isEqualTo(CarriedOut.YES);
            assertThat(KeyTime.UUID_V7.of(answered.key())).isPresent();
            assertThat(server.keys()).containsExactly(answered.key());
        }
    }

    @Test
    void aReplayIsToldFromAFirstAnswer() throws IOException {
        try (Server server = Server.doing(Act.reset(), Act.answer(201, "paid", "Idempotent-Replayed: true"))) {
            Answered answered = (Answered) client.send(server.pay());

            assertThat(answered.replayed()).isTrue();
            assertThat(answered.attempts()).isEqualTo(2);
        }
    }

    static List<Act> passing() {
        return List.of(
                Act.reset(),
                Act.truncated(),
                Act.nonsense(),
                Act.answer(500, ""),
                Act.answer(502, ""),
                Act.answer(503, ""),
                Act.answer(504, ""),
                Act.answer(599, ""),
                Act.answer(408, ""),
                Act.answer(425, ""),
                Act.answer(429, "", "Retry-After: 0"),
                Act.answer(503, "", "Retry-After: 0"),
                Act.answer(409, "", "Retry-After: 0"),
                Act.problem(409, "in-progress", "Retry-After: 0"),
                Act.problem(409, "outcome-unknown", "Retry-After: 0"),
                Act.problem(503, "store-unavailable", "Retry-After: 0"));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void whatPassesIsSentAgainUnchangedUnderTheSameKey(Act act) throws IOException {
        try (Server server = Server.doing(act, act, Act.answer(201, "paid"))) {
            Result result = client.send(server.pay());

            assertThat(result).isInstanceOf(Answered.class);
            assertThat(result.attempts()).isEqualTo(3);
            assertThat(server.received).hasSize(3);
            assertThat(server.keys()).containsExactly(result.key());
            assertThat(server.received).extracting(Server.Received::body).containsOnly("{\"amountCents\":500}");
            assertThat(server.received).extracting(Server.Received::line).containsOnly("POST /payments HTTP/1.1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 302, 303, 400, 401, 403, 404, 409, 410, 422, 501, 505})
    void otherAnswersAreFinal(int status) throws IOException {
        try (Server server = Server.doing(Act.answer(status, ""))) {
            Answered answered = (Answered) client.send(server.pay());

            assertThat(answered.response().statusCode()).isEqualTo(status);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void aServerErrorThatIsAReplayIsFinal() throws IOException {
        try (Server server = Server.doing(Act.answer(500, "no", "Idempotent-Replayed: true"))) {
            assertThat(client.send(server.pay())).isInstanceOf(Answered.class);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void aMismatchIsRefusedAndNeverSentAgain() throws IOException {
        try (Server server = Server.doing(Act.problem(422, "key-reused", "Retry-After: 1"))) {
            Refused refused = (Refused) client.send(server.pay());

            assertThat(refused.problem()).isEqualTo(ProblemType.KEY_REUSED);
            assertThat(refused.carriedOut()).isEqualTo(CarriedOut.NO);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void aMismatchUnderAnotherStatusIsOneToo() throws IOException {
        try (Server server = Server.doing(Act.problem(409, "key-reused"))) {
            assertThat(client.send(server.pay()))
                    .asInstanceOf(type(Refused.class))
                    .extracting(Refused::problem)
                    .isEqualTo(ProblemType.KEY_REUSED);
        }
    }

    @Test
    void anAnswerThatWasNotKeptIsRefusedAsCarriedOut() throws IOException {
        try (Server server = Server.doing(Act.reset(), Act.problem(410, "result-unavailable"))) {
            Refused refused = (Refused) client.send(server.pay());

            assertThat(refused.carriedOut()).isEqualTo(CarriedOut.YES);
            assertThat(refused.attempts()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 413, 501})
    void anAnswerAboutTheCallerSaysThatNothingWasCarriedOut(int status) throws IOException {
        try (Server server = Server.doing(Act.answer(status, "not you"))) {
            assertThat(client.send(server.pay()).carriedOut()).isEqualTo(CarriedOut.NO);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 303, 404, 422})
    void anAnswerOfTheServiceSaysThatItWasCarriedOutWhateverItSays(int status) throws IOException {
        try (Server server = Server.doing(Act.answer(status, "so it is"))) {
            assertThat(client.send(server.pay()).carriedOut()).isEqualTo(CarriedOut.YES);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gone", "outcome-unknown"})
    void whatTheServiceDoesNotKnowIsUnknownAtOnce(String slug) throws IOException {
        try (Server server = Server.doing(Act.problem(409, slug))) {
            Unknown unknown = (Unknown) client.send(server.pay());

            assertThat(unknown.stop()).isEqualTo(StopReason.FINAL);
            assertThat(unknown.carriedOut()).isEqualTo(CarriedOut.UNKNOWN);
            assertThat(unknown.response().statusCode()).isEqualTo(409);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void aServiceThatNeverAnswersLeavesItUnknown() throws IOException {
        try (Server server = Server.doing(Act.silence())) {
            Unknown unknown = (Unknown) client.with(SHORT).send(server.pay());

            assertThat(unknown.failure()).isInstanceOf(HttpTimeoutException.class);
            assertThat(unknown.stop()).isEqualTo(StopReason.DEADLINE);
            assertThat(unknown.response()).isNull();
            assertThat(server.keys()).containsExactly(unknown.key());
        }
    }

    @Test
    void aBodyThatStopsHalfWayMeetsTheTimeoutAndTheConnectionIsClosed() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        try (Server server = Server.doing(Act.stall(left::countDown), Act.answer(201, "paid"))) {
            Result result =
                    client.with(QUICK.attemptTimeout(Duration.ofMillis(300))).send(server.pay());

            assertThat(result).isInstanceOf(Answered.class);
            assertThat(result.attempts()).isGreaterThan(1);
            assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whereNobodyListensNothingWasSent() throws IOException {
        NotSent notSent = (NotSent) client.with(QUICK.budget(2, 0)).send(toNobody());

        assertThat(notSent.failure()).isInstanceOf(ConnectException.class);
        assertThat(notSent.attempts()).isEqualTo(3);
        assertThat(notSent.carriedOut()).isEqualTo(CarriedOut.NO);
    }

    @Test
    void aHostWithoutAnAddressIsNotSentTo() {
        Intent intent = Intent.of(HttpRequest.newBuilder(URI.create("http://nowhere.invalid/payments"))
                .POST(BodyPublishers.noBody())
                .build());

        assertThat(client.with(QUICK.budget(1, 0)).send(intent)).isInstanceOf(NotSent.class);
    }

    @Test
    void aClientWithoutThreadsSendsNothing() throws IOException {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        HttpClient http = HttpClient.newBuilder().executor(threads).build();
        threads.shutdownNow();
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            NotSent notSent = (NotSent) RetryingClient.over(http).with(QUICK).send(server.pay());

            assertThat(notSent.stop()).isEqualTo(StopReason.FINAL);
            assertThat(notSent.attempts()).isEqualTo(1);
            assertThat(server.received).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 413, 429, 501})
    void anAnswerAboutTheMomentSaysNothingOfAnAttemptThatWasLost(int status) throws IOException {
        try (Server server = Server.doing(Act.reset(), Act.answer(status, ""))) {
            Unknown unknown = (Unknown) client.with(FEW).send(server.pay());

            assertThat(unknown.response().statusCode()).isEqualTo(status);
            assertThat(unknown.failure()).isNotNull();
        }
    }

    @Test
    void aRefusalSaysNothingOfAnAttemptThatWasLost() throws IOException {
        try (Server server = Server.doing(Act.reset(), Act.problem(422, "key-reused"))) {
            assertThat(client.send(server.pay())).isInstanceOf(Unknown.class);
        }
    }

    @Test
    void aStoreThatStaysDownMeansThatNothingWasRun() throws IOException {
        try (Server server = Server.doing(Act.problem(503, "store-unavailable"))) {
            Refused refused = (Refused) client.with(FEW).send(server.pay());

            assertThat(refused.problem()).isEqualTo(ProblemType.STORE_UNAVAILABLE);
            assertThat(refused.carriedOut()).isEqualTo(CarriedOut.NO);
            assertThat(refused.attempts()).isGreaterThan(1);
        }
    }

    @Test
    void aLimitThatStaysReachedIsTheAnswer() throws IOException {
        try (Server server = Server.doing(Act.answer(429, "slow down"))) {
            Answered answered = (Answered) client.with(FEW).send(server.pay());

            assertThat(answered.response().statusCode()).isEqualTo(429);
            assertThat(answered.attempts()).isGreaterThan(1);
        }
    }

    @Test
    void aServerThatKeepsFailingLeavesItUnknown() throws IOException {
        try (Server server = Server.doing(Act.answer(500, "oops"))) {
            Unknown unknown = (Unknown) client.with(FEW).send(server.pay());

            assertThat(unknown.response().statusCode()).isEqualTo(500);
            assertThat(unknown.failure()).isNull();
        }
    }

    @Test
    void anAnswerThatIsTooLargeLeavesItUnknownAndIsNotAskedForAgain() throws IOException {
        try (Server server = Server.doing(Act.answer(200, "x".repeat(1001)))) {
            Unknown unknown = (Unknown) client.with(QUICK.largestAnswer(1000)).send(server.pay());

            assertThat(unknown.failure()).hasMessageContaining("more than 1000 bytes");
            assertThat(unknown.stop()).isEqualTo(StopReason.FINAL);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void anAnswerThatJustFitsIsTaken() throws IOException {
        try (Server server = Server.doing(Act.answer(200, "x".repeat(1000)))) {
            assertThat(client.with(QUICK.largestAnswer(1000)).send(server.pay()))
                    .isInstanceOf(Answered.class);
        }
    }

    @Test
    void anEmptyBudgetEndsTheRetriesOfAllCalls() throws IOException {
        try (Server server = Server.doing(Act.answer(500, ""))) {
            RetryingClient thrifty = client.with(QUICK.budget(3, 0.1));

            Unknown first = (Unknown) thrifty.send(server.pay());
            Unknown second = (Unknown) thrifty.send(server.pay());

            assertThat(first.attempts()).isEqualTo(4);
            assertThat(first.stop()).isEqualTo(StopReason.BUDGET);
            assertThat(second.attempts()).isEqualTo(1);
        }
    }

    @Test
    void waitingForOneInProgressCostsNoBudget() throws IOException {
        Act busy = Act.problem(409, "in-progress", "Retry-After: 0");
        try (Server server = Server.doing(busy, busy, busy, Act.answer(201, "paid"))) {
            Result result = client.with(QUICK.budget(0, 0)).send(server.pay());

            assertThat(result).isInstanceOf(Answered.class);
            assertThat(result.attempts()).isEqualTo(4);
        }
    }

    @Test
    void aListenerHearsOfRetriesAndOfTheEnd() throws IOException {
        List<ClientEvent> events = new CopyOnWriteArrayList<>();
        try (Server server = Server.doing(Act.answer(503, ""), Act.reset(), Act.answer(201, "paid"))) {
            Result result = client.listener(events::add).send(server.pay());

            assertThat(events).hasSize(3).extracting(ClientEvent::key).containsOnly(result.key());
            assertThat(events.get(0)).isInstanceOfSatisfying(ClientEvent.Retrying.class, retrying -> {
                assertThat(retrying.status()).isEqualTo(503);
                assertThat(retrying.attempt()).isEqualTo(1);
            });
            assertThat(events.get(1))
                    .isInstanceOfSatisfying(
                            ClientEvent.Retrying.class,
                            retrying -> assertThat(retrying.failure()).isInstanceOf(IOException.class));
            assertThat(events.get(2)).isEqualTo(new ClientEvent.Ended(result));
        }
    }

    @Test
    void keysCanGoInQuotesAndUnderAnotherName() throws IOException {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            client.keyHeader("X-Request-Key").quotedKeys().send(server.pay().key("a \"b\" \\ c"));

            assertThat(server.received.get(0).header("X-Request-Key")).isEqualTo("\"a \\\"b\\\" \\\\ c\"");
            assertThat(server.received.get(0).header("Idempotency-Key")).isEmpty();
        }
    }

    @Test
    void keysThatNeedQuotesAreRefusedWithoutThem() throws IOException {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            assertThatThrownBy(() -> client.send(server.pay().key("a b")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("quotedKeys()");
            assertThat(server.received).isEmpty();
        }
    }

    @Test
    void aSecondKeyInTheRequestIsRefused() throws IOException {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            assertThatThrownBy(() -> client.send(server.pay().header("idempotency-key", "mine")))
                    .hasMessageContaining("give the key to the intent");
            assertThat(server.received).isEmpty();
        }
    }

    @Test
    void aClientThatFollowsRedirectsByItselfIsRefused() {
        HttpClient following = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();

        assertThatThrownBy(() -> RetryingClient.over(following)).hasMessageContaining("followRedirects(NEVER)");
    }

    @Test
    void aPublisherOfPagesForItsProblemsIsUnderstood() throws IOException {
        Act problem = Act.answer(
                422,
                "{\"title\":\"t\",\"type\":\"https://pages.example/problems/key-reused\"}",
                "Content-Type: application/problem+json; charset=utf-8");
        try (Server server = Server.doing(problem)) {
            assertThat(client.send(server.pay())).isInstanceOf(Answered.class);
            assertThat(client.problemBase("https://pages.example/problems/").send(server.pay()))
                    .isInstanceOf(Refused.class);
        }
    }

    private static Intent toNobody() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI uri = URI.create("http://127.0.0.1:" + free.getLocalPort() + "/payments");
            return Intent.of(
                    HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build());
        }
    }
}
