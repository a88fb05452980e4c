// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.Operation;
import io.semel.Operation.OtherVersions;
import io.semel.UnreadableAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 21 to 28 and 38 to 44 of the profile: first execution, replay, reuse. */
class ReplayCasesTest extends PaymentService {

    @Test
    void case21_anUnseenKeyRunsOnceWithoutAMarkerAndLeavesACompletedRecord() {
        Answer answer = send(PAY);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.header("Idempotent-Replayed")).isEmpty();
        assertThat(effects).hasValue(1);
        assertThat(store.count().settled()).isEqualTo(1);
    }

    @Test
    void case22_everyRepetitionGetsTheSameStatusAndBytesAndTheMarker() {
        Answer first = send(PAY);
        for (int i = 0; i < 10; i++) {
            Answer again = send(PAY);
            assertThat(again.status()).isEqualTo(first.status());
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(replayed(again)).isTrue();
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void case23_aReplayed201KeepsItsStatusAndLocation() {
        send(PAY);
        Answer again = send(PAY);

        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Location")).hasValue("/payments/1");
    }

    @Test
    void case24_anotherBodyIsA422AndTheFirstRequestStillReplays() {
        send(PAY);
        Answer other = send(PAY.body("{\"orderId\":\"17\",\"amountCents\":900}"));

        assertThat(other.status()).isEqualTo(422);
        assertThat(problem(other)).isEqualTo("key-reused");
        assertThat(text(other)).doesNotContain("payment 1").doesNotContain(KEY);
        assertThat(replayed(send(PAY))).isTrue();
        assertThat(effects).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 409, 422})
    void theStatusOfAMismatchIsConfigurable(int status) {
        door = door(HttpRules.standard().mismatchStatus(status));
        send(PAY);

        Answer other = send(PAY.body("{}"));

        assertThat(other.status()).isEqualTo(status);
        assertThat(text(other)).contains("\"status\":" + status);
        assertThat(problem(other)).isEqualTo("key-reused");
    }

    @Test
    void noOtherStatusMeansAMismatch() {
        assertThatThrownBy(() -> HttpRules.standard().mismatchStatus(200)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void case25_anotherQueryIsA422() {
        send(PAY.query("currency=EUR"));

        assertThat(send(PAY.query("currency=USD")).status()).isEqualTo(422);
        assertThat(send(PAY).status()).isEqualTo(422);
        assertThat(send(PAY.query("")).status()).isEqualTo(422);
        assertThat(replayed(send(PAY.query("currency=EUR")))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "Authorization, Bearer rotated",
        "User-Agent, retry/2",
        "Date, today",
        "traceparent, 00-1-1-01",
        "Accept-Encoding, br",
        "Cookie, a=b",
    })
    void case25_anotherHeaderIsNoOtherRequest(String name, String value) {
        send(PAY);

        assertThat(replayed(send(PAY.header(name, value)))).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void headersOnTheListAreCompared() {
        door = door(HttpRules.standard().compareHeaders("Api-Version"));
        send(PAY.header("api-version", "2026-11"));

        assertThat(send(PAY.header("Api-Version", "2026-12")).status()).isEqualTo(422);
        assertThat(send(PAY).status()).isEqualTo(422);
        assertThat(send(PAY.header("Api-Version", "2026-11").header("Api-Version", "2026-11"))
                        .status())
                .isEqualTo(422);
        assertThat(replayed(send(PAY.header("Api-Version", " 2026-11 ")))).isTrue();
    }

    @Test
    void case26_theSameKeyOnAnotherPathOrMethodIsA422() {
        send(PAY);

        assertThat(send(PAY.at("/refunds")).status()).isEqualTo(422);
        assertThat(send(PAY.by("PATCH")).status()).isEqualTo(422);
        assertThat(effects).hasValue(1);
    }

    @Test
    void case26_theSameKeyOnARouteWithOtherSettingsIsA422Too() {
        send(PAY);
        HttpIdempotency refunds = HttpIdempotency.on(
                engine.with(Operation.named("refunds")), HttpRules.standard().keys(KeyUse.REQUIRED));

        assertThat(send(refunds, PAY.at("/refunds")).status()).isEqualTo(422);
    }

    @Test
    void anotherMediaTypeIsA422() {
        Message plain = Message.post("/notes").key(KEY).body("{}");
        send(plain.header("Content-Type", "application/json"));

        assertThat(send(plain.header("Content-Type", "text/plain")).status()).isEqualTo(422);
        assertThat(send(plain).status()).isEqualTo(422);
        assertThat(replayed(send(plain.header("Content-Type", "Application/JSON"))))
                .isTrue();
    }

    @Test
    void case27_reorderedMembersAreAnotherRequestByBytesAndTheSameByMeaning() {
        String reordered = "{ \"amountCents\": 500.0, \"orderId\": \"17\" }";
        send(PAY);
        assertThat(send(PAY.body(reordered)).status()).isEqualTo(422);

        door = door(HttpRules.standard().namespace("by meaning").compareBodies(BodyComparison.json()));
        send(PAY);
        assertThat(replayed(send(PAY.body(reordered)))).isTrue();
        assertThat(send(PAY.body("{\"orderId\":\"17\",\"amountCents\":501}")).status())
                .isEqualTo(422);
    }

    @Test
    void ignoredMembersDoNotCount() {
        door = door(HttpRules.standard().compareBodies(BodyComparison.json("/meta/sentAt", "/items/0")));
        Message message = Message.post("/orders").key(KEY);
        send(message.json("{\"a\":1,\"meta\":{\"sentAt\":1,\"x\":1},\"items\":[{\"drawn\":1},2]}"));

        assertThat(replayed(send(message.json("{\"a\":1,\"meta\":{\"sentAt\":[2],\"x\":1},\"items\":[3,2]}"))))
                .isTrue();
        assertThat(send(message.json("{\"a\":1,\"meta\":{\"sentAt\":1,\"x\":2},\"items\":[3,2]}"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void case28_aNewBoundaryIsAnotherRequestByBytesAndTheSameByParts() {
        assertThat(send(upload("one")).status()).isEqualTo(201);
        assertThat(send(upload("two")).status()).isEqualTo(422);

        door = door(HttpRules.standard()
                .namespace("by parts")
                .compareBodies(BodyComparison.json(), BodyComparison.multipart()));
        send(upload("one"));
        assertThat(replayed(send(upload("another-boundary")))).isTrue();
    }

    @Test
    void uncomparedBodiesMayDiffer() {
        door = door(HttpRules.standard().compareBodies(BodyComparison.uncompared()));
        send(PAY);

        assertThat(replayed(send(PAY.body("{\"pending_webhooks\":2}")))).isTrue();
        assertThat(send(PAY.at("/other")).status()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 409, 422})
    void case38_aStored4xxIsBoundToItsBodyAndANewKeyRuns(int status) {
        handler = answering(status);
        send(PAY);
        Message corrected = PAY.body("{\"orderId\":\"17\",\"amountCents\":1}");

        assertThat(problem(send(corrected))).isEqualTo("key-reused");
        assertThat(effects).hasValue(1);
        handler = this::charge;
        assertThat(send(Message.post("/payments").key("new").json("{\"amountCents\":1}"))
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 202, 204, 301, 303, 400, 402, 404, 405, 409, 410, 412, 415, 422, 451})
    void case39_deterministicAnswersAreReplayed(int status) {
        handler = answering(status);
        Answer first = send(PAY);
        Answer again = send(PAY);

        assertThat(again.status()).isEqualTo(status);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(replayed(again)).isTrue();
        assertThat(effects).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 407, 408, 413, 425, 429, 503})
    void case40_answersAboutTheMomentAreEvaluatedAfresh(int status) {
        handler = answering(status);

        assertThat(send(PAY).status()).isEqualTo(status);
        assertThat(store.count().settled()).isZero();

        handler = this::charge;
        assertThat(send(PAY.body("{\"corrected\":true}")).status()).isEqualTo(201);
        assertThat(effects).hasValue(2);
    }

    @Test
    void aConflictThatAsksForARetryIsNotRecorded() {
        handler = message -> Answer.of(409, new byte[0]).with("Retry-After", "1");
        send(PAY);

        handler = this::charge;
        assertThat(send(PAY).status()).isEqualTo(201);
    }

    @Test
    void case41_afterAValidationFailureBeforeExecutionTheSameKeyExecutesTheCorrectedBody() {
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        run.release();

        assertThat(send(PAY.body("{\"corrected\":true}")).status()).isEqualTo(201);
        assertThat(effects).hasValue(1);
    }

    @Test
    void case43_anotherPrincipalsRequestIsExecutedAndTheFirstAnswerNeverShown() {
        Answer alices = send(PAY);
        Answer bobs = send(PAY.from(Caller.of("bob")));

        assertThat(effects).hasValue(2);
        assertThat(replayed(bobs)).isFalse();
        assertThat(bobs.body()).isNotEqualTo(alices.body());
        assertThat(send(PAY.from(Caller.of("acme", "alice"))).body()).isNotEqualTo(alices.body());
        assertThat(send(PAY.from(Caller.anonymous())).body()).isNotEqualTo(alices.body());
        assertThat(effects).hasValue(4);
        assertThat(replayed(send(PAY.from(Caller.of("alice"))))).isTrue();
    }

    @Test
    void case43_aRotatedCredentialOfTheSamePrincipalFindsItsAnswer() {
        send(PAY.header("Authorization", "Bearer one"));

        assertThat(replayed(send(PAY.header("Authorization", "Bearer two")))).isTrue();
    }

    @Test
    void servicesThatShareAStoreHaveTheirOwnNamespaces() {
        send(door(HttpRules.standard().namespace("payments")), PAY);

        assertThat(replayed(send(door(HttpRules.standard().namespace("shipping")), PAY)))
                .isFalse();
    }

    @Test
    void case44_aRendererCanRefuseTheAnswerToOneWhoLostTheRight() {
        send(PAY);
        door = door(HttpRules.standard().renderReplays((stored, request) -> Answer.of(403, new byte[0])));

        Answer answer = send(PAY);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).isEmpty();
        assertThat(effects).hasValue(1);
    }

    @Test
    void aRendererCanGiveTheCurrentStateInsteadOfTheFirst() {
        send(PAY);
        door = door(HttpRules.standard()
                .renderReplays((stored, request) -> Answer.of(
                        200, (text(stored) + " of " + request.caller().principal() + ", settled").getBytes(UTF_8))));

        Answer answer = send(PAY);

        assertThat(text(answer)).isEqualTo("payment 1 of alice, settled");
        assertThat(replayed(answer)).isTrue();
    }

    @Test
    void whatARendererThrowsReachesTheServer() {
        send(PAY);
        door = door(HttpRules.standard().renderReplays((stored, request) -> {
            throw new IllegalStateException("the database is away");
        }));

        assertThatThrownBy(() -> send(PAY)).hasMessage("the database is away");
        assertThat(effects).hasValue(1);
    }

    @Test
    void aRendererKnowsWhichVersionWroteTheAnswer() {
        send(HttpIdempotency.on(engine.with(PAYMENTS.version("1")), HttpRules.standard()), PAY);
        door = HttpIdempotency.on(
                engine.with(PAYMENTS.version("2")),
                HttpRules.standard()
                        .renderReplays((stored, request) -> stored.with("Shape", "from " + stored.version())));

        Answer answer = send(PAY);

        assertThat(answer.header("Shape")).hasValue("from 1");
        assertThat(text(answer)).isEqualTo("payment 1");
    }

    @Test
    void anAnswerThatARendererCannotReadIsNotAvailableAndNothingRuns() {
        send(PAY);
        door = door(HttpRules.standard().renderReplays((stored, request) -> {
            throw new UnreadableAnswer("a shape of old", null);
        }));

        Answer answer = send(PAY);

        assertThat(answer.status()).isEqualTo(410);
        assertThat(problem(answer)).isEqualTo("result-unavailable");
        assertThat(effects).hasValue(1);
    }

    @Test
    void answersOfAnotherVersionAreGoneWhereThatIsSaid() {
        send(HttpIdempotency.on(engine.with(PAYMENTS.version("1")), HttpRules.standard()), PAY);
        door = HttpIdempotency.on(
                engine.with(PAYMENTS.version("2").answersOfOtherVersions(OtherVersions.GONE)), HttpRules.standard());

        assertThat(problem(send(PAY))).isEqualTo("gone");
        assertThat(effects).hasValue(1);
    }

    @Test
    void retentionIsAdvertisedWithFirstAndReplayedAnswersIfAskedFor() {
        door = door(HttpRules.standard().advertiseRetention());
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());

        assertThat(run.headers()).containsExactly(new Answer.Header("Idempotency-Key-Lifetime", "86400"));
        run.complete(Answer.of(200, new byte[0]));
        assertThat(send(PAY).header("Idempotency-Key-Lifetime")).hasValue("86400");
        assertThat(store.look(Key.of("http/principal/alice", KEY))).isPresent();
    }

    @Test
    void retentionIsNotAdvertisedByDefault() {
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());

        assertThat(run.headers()).isEmpty();
        run.release();
    }

    private static Message upload(String boundary) {
        return Message.post("/documents")
                .key(KEY)
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .body("--" + boundary + "\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nHello\r\n--" + boundary
                        + "--\r\n");
    }
}
