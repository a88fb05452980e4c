// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Engine;
import io.semel.Event;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Operator;
import io.semel.WhenAbandoned;
import io.semel.WhenAbandoned.Verdict;
import io.semel.http.StatusPolicy.Keep;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 48, 49 and 52 to 57 of the profile: answers that fail, handlers that fall silent, time that passes. */
class FailureCasesTest extends PaymentService {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Key STORED = Key.of("http/principal/alice", KEY);

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 504, 599, 999})
    void case48_aServerErrorIsForgottenAndARetryExecutes(int status) {
        handler = answering(status);
        assertThat(send(PAY).status()).isEqualTo(status);
        assertThat(store.count().settled()).isZero();

        handler = this::charge;
        Answer retry = send(PAY);

        assertThat(retry.status()).isEqualTo(201);
        assertThat(replayed(retry)).isFalse();
        assertThat(effects).hasValue(2);
    }

    @Test
    void case48_aHeldServerErrorMakesRetriesUnknownUntilSomebodyResolvesIt() {
        door = door(HttpRules.standard().statuses(StatusPolicy.standard().serverErrors(Keep.HOLD)));
        handler = answering(500);
        assertThat(send(PAY).status()).isEqualTo(500);

        Answer retry = send(PAY);

        assertThat(retry.status()).isEqualTo(409);
        assertThat(problem(retry)).isEqualTo("outcome-unknown");
        assertThat(retry.header("Retry-After")).isEmpty();
        assertThat(effects).hasValue(1);

        Operator operator = engine.operator("test");
        assertThat(operator.whyUnknown(STORED)).hasValue("the handler answered 500");
        operator.resolve(store.look(STORED).orElseThrow(), Answer.codec(), Answer.of(201, "found".getBytes(UTF_8)));
        assertThat(text(send(PAY))).isEqualTo("found");
        assertThat(effects).hasValue(1);
    }

    @Test
    void case49_aRecordedServerErrorIsReplayedWithTheMarker() {
        door = door(HttpRules.standard().statuses(StatusPolicy.standard().serverErrors(Keep.RECORD)));
        handler = answering(500);
        send(PAY);

        Answer retry = send(PAY);

        assertThat(retry.status()).isEqualTo(500);
        assertThat(replayed(retry)).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void whatTheHandlerThrowsReachesTheServerAndTheKeyIsFree() {
        handler = message -> {
            throw new IllegalStateException("no connection");
        };
        assertThatThrownBy(() -> send(PAY)).hasMessage("no connection").hasNoSuppressedExceptions();

        handler = this::charge;
        assertThat(send(PAY).status()).isEqualTo(201);
        assertThat(effects).hasValue(1);
    }

    @Test
    void case48_silenceIsUnknownUntilSomebodyReleasesIt() {
        door = doorElsewhere(PAYMENTS.whenAbandoned(WhenAbandoned.refuse()));
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());

        Problem problem = run.silent();

        assertThat(problem.type()).isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
        assertThat(problem(send(PAY))).isEqualTo("outcome-unknown");
        assertThat(engine.operator("test").whyUnknown(STORED)).isPresent();
        engine.operator("test").release(store.look(STORED).orElseThrow());
        assertThat(send(PAY).status()).isEqualTo(201);
    }

    @Test
    void case48_afterSilenceARetryRunsAtOnceWhereThePolicySaysToRunAgain() {
        door = doorElsewhere(RERUNNING);
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());

        Problem problem = run.silent();

        assertThat(problem.type()).isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
        assertThat(problem.answer().header("Retry-After")).hasValue("1");
        assertThat(send(PAY).status()).isEqualTo(201);
        assertThat(events).hasAtLeastOneElementOfType(Event.Abandoned.class);
    }

    @Test
    void case48_afterSilenceTheHookIsAskedWhereThePolicySaysToReconcile() {
        door = reconciling(Verdict.happened(Answer.codec(), Answer.of(201, "found".getBytes(UTF_8))));
        ((RequestDecision.Run) door.enter(PAY, PAY.body())).silent();

        Answer retry = send(PAY);

        assertThat(text(retry)).isEqualTo("found");
        assertThat(replayed(retry)).isTrue();
        assertThat(effects).hasValue(0);
    }

    @Test
    void whatTheHandlerThrewIsToldToTheListener() {
        RuntimeException thrown = new IllegalStateException("no connection");
        ((RequestDecision.Run) door.enter(PAY, PAY.body())).fail(thrown);

        assertThat(events)
                .filteredOn(Event.Released.class::isInstance)
                .singleElement()
                .extracting(event -> ((Event.Released) event).cause())
                .isSameAs(thrown);
    }

    @Test
    void case52_aHolderThatWasOvertakenGetsAProblemAndTheSecondResultStands() {
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());
        time.pause(LEASE.multipliedBy(2));
        RequestDecision.Run second =
                (RequestDecision.Run) doorElsewhere(RERUNNING).enter(PAY, PAY.body());
        assertThat(second.attempt().fence()).isGreaterThan(first.attempt().fence());
        assertThat(second.complete(charge(PAY))).isEmpty();

        Problem late = first.complete(Answer.of(201, "zombie".getBytes(UTF_8))).orElseThrow();

        assertThat(late.type()).isEqualTo(Problem.Type.IN_PROGRESS);
        assertThat(late.status()).isEqualTo(409);
        assertThat(text(late.answer())).doesNotContain("zombie");
        assertThat(late.answer().header("Retry-After")).hasValue("1");
        assertThat(text(send(PAY))).isEqualTo("payment 1");
        assertThat(events).hasAtLeastOneElementOfType(Event.LostLease.class);
    }

    @Test
    void case52_anOvertakenHolderDoesNotSendAForgottenAnswerEither() {
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());
        time.pause(LEASE.multipliedBy(2));
        RequestDecision.Run second =
                (RequestDecision.Run) doorElsewhere(RERUNNING).enter(PAY, PAY.body());

        assertThat(first.complete(Answer.of(500, new byte[0]))).isPresent();
        assertThat(second.complete(charge(PAY))).isEmpty();
    }

    @Test
    void case52_anOvertakenHolderThatThrowsKeepsItsOwnException() {
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());
        time.pause(LEASE.multipliedBy(2));
        RequestDecision.Run second =
                (RequestDecision.Run) doorElsewhere(RERUNNING).enter(PAY, PAY.body());
        IllegalStateException thrown = new IllegalStateException("mine");

        first.fail(thrown);

        assertThat(thrown.getSuppressed()).hasSize(1);
        second.release();
    }

    @Test
    void case53_aHolderThatRenewsIsNotTakenOver() {
        RequestDecision.Run first = (RequestDecision.Run) door.enter(PAY, PAY.body());
        time.advance(LEASE.multipliedBy(5));

        assertThat(problem(send(doorElsewhere(PAYMENTS), PAY))).isEqualTo("in-progress");
        assertThat(first.complete(charge(PAY))).isEmpty();
        assertThat(effects).hasValue(1);
    }

    @Test
    void case54_anAbandonedCallRunsAgainWithAHigherFence() {
        RequestDecision.Run vanished = vanish();

        RequestDecision.Run again = (RequestDecision.Run)
                doorElsewhere(PAYMENTS.whenAbandoned(WhenAbandoned.rerun())).enter(PAY, PAY.body());

        assertThat(again.attempt().fence()).isGreaterThan(vanished.attempt().fence());
        assertThat(again.attempt().abandoned()).isTrue();
        again.release();
    }

    @Test
    void case54_anAbandonedCallIsRefusedAsUnknown() {
        vanish();
        HttpIdempotency refusing = doorElsewhere(PAYMENTS.whenAbandoned(WhenAbandoned.refuse()));

        assertThat(problem(send(refusing, PAY))).isEqualTo("outcome-unknown");
        assertThat(problem(send(refusing, PAY))).isEqualTo("outcome-unknown");
        assertThat(effects).hasValue(0);
    }

    @Test
    void case54_aHookSaysWhatBecameOfAnAbandonedCall() {
        vanish();
        assertThat(problem(send(reconciling(Verdict.stillUnknown()), PAY))).isEqualTo("outcome-unknown");

        Answer found = Answer.of(201, "found".getBytes(UTF_8));
        Answer answer = send(reconciling(Verdict.happened(Answer.codec(), found)), PAY);

        assertThat(text(answer)).isEqualTo("found");
        assertThat(replayed(answer)).isTrue();
        assertThat(effects).hasValue(0);
    }

    @Test
    void case54_aHookSaysThatItDidNotHappen() {
        vanish();

        assertThat(send(reconciling(Verdict.didNotHappen()), PAY).status()).isEqualTo(201);
        assertThat(effects).hasValue(1);
    }

    @Test
    void aHookThatThrowsRunsNothingAlsoWhereTheRulesFailOpen() {
        vanish();
        Operation operation = PAYMENTS.whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> {
            throw new IllegalArgumentException("the bank is closed");
        }));
        HttpIdempotency failing = HttpIdempotency.on(
                Engine.on(store, time).with(operation), HttpRules.standard().failOpen());

        RequestDecision.Refuse refuse = (RequestDecision.Refuse) failing.enter(PAY, PAY.body());

        assertThat(refuse.problem().status()).isEqualTo(503);
        assertThat(refuse.cause()).hasMessage("the bank is closed");
    }

    @Test
    void case55_retentionCountsFromCompletion() {
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        time.advance(Duration.ofHours(25));
        run.complete(charge(PAY));
        time.advance(Duration.ofHours(23));

        assertThat(replayed(send(PAY))).isTrue();
    }

    @Test
    void case56_noCleanUpRemovesARecordWithinItsRetention() {
        send(PAY);
        time.advance(Duration.ofHours(23));
        store.purge(Integer.MAX_VALUE);
        assertThat(replayed(send(PAY))).isTrue();

        time.advance(Duration.ofHours(26));
        store.purge(Integer.MAX_VALUE);
        assertThat(records()).isZero();
    }

    @Test
    void case57_betweenRetentionAndRemembranceTheKeyIsGoneAndAfterwardsNew() {
        send(PAY);
        time.advance(Duration.ofHours(25));

        Answer gone = send(PAY);

        assertThat(gone.status()).isEqualTo(410);
        assertThat(problem(gone)).isEqualTo("gone");
        assertThat(effects).hasValue(1);

        time.advance(Duration.ofHours(24));
        Answer anew = send(PAY);
        assertThat(anew.status()).isEqualTo(201);
        assertThat(replayed(anew)).isFalse();
        assertThat(effects).hasValue(2);
    }

    @Test
    void case60_aLateDuplicateAfterADeletionIsReplayedAndCreatesNothing() {
        send(PAY);
        effects.set(0);
        time.advance(Duration.ofHours(12));

        Answer late = send(PAY);

        assertThat(late.status()).isEqualTo(201);
        assertThat(replayed(late)).isTrue();
        assertThat(effects).hasValue(0);
    }

    @Test
    void aRunIsEndedOnce() {
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        run.complete(charge(PAY));

        assertThatThrownBy(() -> run.complete(charge(PAY))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(run::release).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> run.silent()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> run.fail(new IllegalStateException())).isInstanceOf(IllegalStateException.class);
    }

    /** A process that got the request and was never heard of again. */
    private RequestDecision.Run vanish() {
        RequestDecision.Run run = (RequestDecision.Run) doorElsewhere(PAYMENTS).enter(PAY, PAY.body());
        time.pause(LEASE.multipliedBy(2));
        return run;
    }

    private HttpIdempotency reconciling(Verdict verdict) {
        return doorElsewhere(PAYMENTS.whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> verdict)));
    }
}
