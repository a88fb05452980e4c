// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.http.StatusPolicy.Keep;
import io.semel.seal.AesGcmSeal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 65 and 66 of the profile: a store that cannot be asked, does not answer, or does not keep. */
class StoreCasesTest extends PaymentService {

    private static final RuntimeException DOWN = new StoreException("connection refused", null);

    private static final RuntimeException UNREACHABLE = StoreException.unreachable("connection refused", null);

    private final FailingStore failing = new FailingStore(store, Level.LEASED);

    @Test
    void case65_aBodyAboveTheLimitReachesItsCallerWholeAndARetryIsToldThatItWasNotKept() {
        door = HttpIdempotency.on(engine.with(PAYMENTS.keepAnswersUpTo(1000)), HttpRules.standard());
        handler = message -> Answer.of(201, new byte[effects.incrementAndGet() * 5000]);

        assertThat(send(PAY).body()).hasSize(5000);
        Answer retry = send(PAY);

        assertThat(retry.status()).isEqualTo(410);
        assertThat(problem(retry)).isEqualTo("result-unavailable");
        assertThat(effects).hasValue(1);
    }

    @Test
    void case65_aBodyThatIsNotEvenHeldInMemoryLeavesTheSameTombstone() {
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());

        assertThat(run.completeUnkept(Answer.of(201, new byte[0]))).isEmpty();
        assertThat(problem(send(PAY))).isEqualTo("result-unavailable");
        assertThat(events).hasAtLeastOneElementOfType(Event.NotRetained.class);
    }

    @Test
    void aBodyThatIsNotHeldIsForgottenWhereItsStatusIs() {
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());

        assertThat(run.completeUnkept(Answer.of(500, new byte[0]))).isEmpty();
        assertThat(send(PAY).status()).isEqualTo(201);
    }

    @Test
    void case66_whenTheStoreIsDownTheAnswerIs503AndTheHandlerIsNotInvoked() {
        door = on(HttpRules.standard().keys(KeyUse.REQUIRED));
        failing.onClaim = DOWN;

        Answer answer = send(PAY);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(problem(answer)).isEqualTo("store-unavailable");
        assertThat(answer.header("Retry-After")).hasValue("1");
        assertThat(text(answer)).doesNotContain("refused");
        assertThat(effects).hasValue(0);
        assertThat(((RequestDecision.Refuse) door.enter(PAY, PAY.body())).cause())
                .isSameAs(DOWN);
    }

    @Test
    void case66_anyExceptionOfAStoreClosesTheDoor() {
        door = on(HttpRules.standard());
        failing.onClaim = new IllegalStateException("a driver's own");

        assertThat(send(PAY).status()).isEqualTo(503);
        assertThat(effects).hasValue(0);
    }

    @Test
    void case66_whereTheRulesSayToFailOpenTheRequestRunsUnprotectedAndSaysSo() {
        door = on(HttpRules.standard().failOpen());
        failing.onClaim = UNREACHABLE;

        assertThat(door.enter(PAY, PAY.body()))
                .isEqualTo(new RequestDecision.Pass(RequestDecision.PassReason.STORE_UNAVAILABLE));
        assertThat(send(PAY).status()).isEqualTo(201);
        assertThat(events).hasAtLeastOneElementOfType(Event.ClaimFailed.class);
    }

    @Test
    void case66_whereTheRulesFailOpenADuplicateOfARequestThatRunsHereIsBusy() {
        door = on(HttpRules.standard().failOpen());
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        failing.onClaim = UNREACHABLE;

        for (String asked : List.of("in vain", "not at all, because it was in vain a moment ago")) {
            Answer duplicate = send(PAY);
            assertThat(problem(duplicate)).as(asked).isEqualTo("in-progress");
            assertThat(duplicate.header("Retry-After")).as(asked).hasValue("1");
        }
        assertThat(effects).hasValue(0);
        run.complete(charge(PAY));
        assertThat(send(PAY).status()).as("when it has ended").isEqualTo(201);
        assertThat(effects).hasValue(2);
    }

    static List<StoreException> failuresOfAStoreThatIsThere() {
        return List.of(
                new StoreException("deadlock", null),
                StoreException.changedNothing("no connection came free in the pool", null),
                StoreException.undone("lost against another transaction", null));
    }

    @ParameterizedTest
    @MethodSource("failuresOfAStoreThatIsThere")
    void case66_failingOpenIsForAStoreThatCannotBeReachedAndNotForOneThatFailed(StoreException failure) {
        door = on(HttpRules.standard().failOpen());
        failing.onClaim = failure;

        Answer answer = send(PAY);

        assertThat(problem(answer)).isEqualTo("store-unavailable");
        assertThat(answer.header("Retry-After")).hasValue("1");
        assertThat(effects).hasValue(0);
        assertThat(((RequestDecision.Refuse) door.enter(PAY, PAY.body())).cause())
                .isSameAs(failure);
    }

    @Test
    void case66_aRequestWithoutAKeyDoesNotAskTheStore() {
        door = on(HttpRules.standard());
        failing.onClaim = DOWN;

        assertThat(send(Message.post("/payments")).status()).isEqualTo(201);
    }

    @Test
    void anAnswerThatTheStoreDoesNotConfirmIsNotSent() {
        door = on(HttpRules.standard());
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        failing.onSettle = DOWN;

        Problem problem = run.complete(charge(PAY)).orElseThrow();

        assertThat(problem.type()).isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
        assertThat(problem.answer().header("Retry-After")).hasValue("1");
        assertThat(text(problem.answer())).doesNotContain("payment 1");
        assertThat(events).hasAtLeastOneElementOfType(Event.SettleFailed.class);
    }

    @Test
    void anAnswerThatIsForgottenAnywayIsSentThoughTheStoreDoesNotHearOfIt() {
        door = on(HttpRules.standard());
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        failing.onSettle = DOWN;

        assertThat(run.complete(Answer.of(429, new byte[0]))).isEmpty();
        assertThat(events).hasAtLeastOneElementOfType(Event.SettleFailed.class);
    }

    @Test
    void theHandlersExceptionWinsOverTheStores() {
        door = on(HttpRules.standard());
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        failing.onSettle = DOWN;
        RuntimeException thrown = new IllegalStateException("mine");

        run.fail(thrown);

        assertThat(thrown.getSuppressed()).containsExactly(DOWN);
    }

    @Test
    void anExceptionThatIsTheStoresOwnIsNotSuppressedIntoItself() {
        door = on(HttpRules.standard());
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        failing.onSettle = DOWN;

        run.fail(DOWN);

        assertThat(DOWN.getSuppressed()).doesNotContain(DOWN);
    }

    @ParameterizedTest
    @EnumSource
    void whereTheRecordCommitsWithTheEffectAServerErrorStoresNothing(Keep keep) {
        FailingStore joined = new FailingStore(store, Level.JOINED);
        door = HttpIdempotency.on(
                Engine.on(joined, time).with(PAYMENTS),
                HttpRules.standard().statuses(StatusPolicy.standard().serverErrors(keep)));
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        Answer failure = Answer.of(500, new byte[0]);

        assertThat(run.keep(failure)).isEqualTo(Keep.FORGET);
        assertThat(run.keep(Answer.of(201, new byte[0]))).isEqualTo(Keep.RECORD);
        assertThat(run.complete(failure)).isEmpty();
        assertThat(store.count().settled() + store.count().unknown()).isZero();
    }

    @Test
    void whereTheRecordCommitsWithTheEffectSilenceFreesTheKey() {
        FailingStore joined = new FailingStore(store, Level.JOINED);
        door = HttpIdempotency.on(Engine.on(joined, time).with(RERUNNING), HttpRules.standard());
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());

        run.silent();

        assertThat(send(PAY).status()).isEqualTo(201);
    }

    @Test
    void anAnswerThatCannotBeReadIsAProblemAndNeverARerun() {
        Engine sealing = engine.withSeal(AesGcmSeal.of("a", Map.of("a", new byte[16])));
        send(HttpIdempotency.on(sealing.with(PAYMENTS), HttpRules.standard()), PAY);

        Answer answer = send(PAY);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(problem(answer)).isEqualTo("result-unreadable");
        assertThat(effects).hasValue(1);
    }

    @Test
    void aRecordOfAnotherKindOfCallIsAProblemAndNeverARerun() {
        Begun.Started<String> started = (Begun.Started<String>) engine.begin(callOf(PAY), Codec.utf8());
        started.complete("not an answer");

        assertThat(problem(send(PAY))).isEqualTo("result-unavailable");
        assertThat(effects).hasValue(0);
    }

    @Test
    void aRecordedRejectionIsAProblemAndNeverARerun() {
        Begun.Started<String> started = (Begun.Started<String>) engine.begin(callOf(PAY), Codec.utf8());
        started.reject(new Rejection("limit", "Too much at once."));

        Answer answer = send(PAY);

        assertThat(answer.status()).isEqualTo(422);
        assertThat(problem(answer)).isEqualTo("rejected");
        assertThat(text(answer)).contains("\"detail\":\"limit: Too much at once.\"");
        assertThat(answer.header("Retry-After")).isEmpty();
        assertThat(effects).hasValue(0);
    }

    @Test
    void aBodyAboveTheCapIsA413AndNothingIsRunOrStored() {
        door = door(HttpRules.standard().largestBody(10));

        Answer answer = send(PAY);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(problem(answer)).isEqualTo("body-too-large");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void aBodyThatIsAnnouncedTooLargeIsNotRead() {
        door = door(HttpRules.standard().largestBody(10));

        for (String length : List.of("11", "99999999999999999999999")) {
            assertThat(door.admit(PAY.header("Content-Length", length))).isInstanceOf(Admission.Decided.class);
        }
        for (String length : List.of("10", "", "-1", "ten", "\u0661\u0662")) {
            assertThat(door.admit(PAY.header("Content-Length", length))).isInstanceOf(Admission.Reading.class);
        }
    }

    @Test
    void theReadingStopsAtTheCapAndTheEntryIsRefused() {
        door = door(HttpRules.standard().largestBody(10));
        Admission.Reading reading = (Admission.Reading) door.admit(PAY);

        assertThat(reading.update(new byte[10], 0, 10)).isTrue();
        assertThat(reading.update(new byte[1], 0, 1)).isFalse();
        assertThat(reading.update(new byte[0], 0, 0)).isFalse();
        assertThat(((RequestDecision.Refuse) reading.enter()).problem().type()).isEqualTo(Problem.Type.BODY_TOO_LARGE);
    }

    @Test
    void aBodyReadInChunksIsTheSameRequest() {
        send(PAY);
        Admission.Reading reading = (Admission.Reading) door.admit(PAY);
        for (byte b : PAY.body()) {
            reading.update(new byte[] {0, b}, 1, 1);
        }

        assertThat(reading.enter()).isInstanceOf(RequestDecision.Replay.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-9", "", "\u0000", "x y", "ISO 8859", "a\u0130"})
    void aCharsetThatIsNotKnownIsAProblemWhereItMatters(String charset) {
        door = door(HttpRules.standard().compareBodies(BodyComparison.json()));
        Message message = Message.post("/payments")
                .key(KEY)
                .header("Content-Type", "application/json; charset=\"" + charset + "\"")
                .body("{}");

        Answer answer = send(message);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(problem(answer)).isEqualTo("unreadable-body");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{", "{\"a\":1,\"a\":2}", "[1]2", "nul", "{\"a\":NaN}", "{'a':1}", "[1,]", "\"\\ud8\"", "01"})
    void jsonThatCannotBeComparedIsAProblem(String body) {
        door = door(HttpRules.standard().compareBodies(BodyComparison.json()));

        Answer answer = send(Message.post("/payments").key(KEY).json(body));

        assertThat(problem(answer)).isEqualTo("unreadable-body");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void jsonAboveTheLimitOfItsFormIsA413() {
        door = door(HttpRules.standard().compareBodies(BodyComparison.json()));
        String large = "\"" + "x".repeat(1 << 20) + "\"";

        assertThat(send(Message.post("/payments").key(KEY).json(large)).status())
                .isEqualTo(413);
    }

    private HttpIdempotency on(HttpRules rules) {
        return HttpIdempotency.on(
                Engine.on(failing, time).withListener(events::add).with(PAYMENTS), rules);
    }

    /** The call that the door makes of a message, learned by letting it run. */
    private Call callOf(Message message) {
        RequestDecision.Run run = (RequestDecision.Run) door.enter(message, message.body());
        Key key = run.attempt().key();
        Fingerprint fingerprint = store.look(key).orElseThrow().fingerprint();
        run.release();
        return Call.of(key, fingerprint);
    }
}
