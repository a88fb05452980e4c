// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Engine;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.http.Admission.Reading;
import io.semel.http.RequestDecision.Run.Completing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests that enter, and answers that are recorded, many at once. */
class BatchedRequestsTest extends PaymentService {

    private final FailingStore failing = new FailingStore(store, Level.LEASED);

    @Test
    void everyRequestGetsWhatItWouldGetAlone() {
        send(pay("done"));
        HttpIdempotency other = door(HttpRules.standard().largestBody(4));

        List<RequestDecision> entries = enter(
                reading(door, pay("new")),
                reading(door, pay("done")),
                reading(door, pay("done").json("{\"amountCents\":900}")),
                reading(other, pay("large")),
                reading(door, pay("new")));

        assertThat(entries.get(0)).isInstanceOf(RequestDecision.Run.class);
        assertThat(replayed(((RequestDecision.Replay) entries.get(1)).answer())).isTrue();
        assertThat(problemOf(entries.get(2))).isEqualTo(Problem.Type.KEY_REUSED);
        assertThat(problemOf(entries.get(3))).isEqualTo(Problem.Type.BODY_TOO_LARGE);
        assertThat(problemOf(entries.get(4))).isEqualTo(Problem.Type.IN_PROGRESS);
    }

    @Test
    void aStoreThatIsDownRefusesThemAll() {
        failing.onClaim = new StoreException("connection refused", null);
        HttpIdempotency down = HttpIdempotency.on(Engine.on(failing, time), HttpRules.standard());

        List<RequestDecision> entries = enter(reading(down, pay("a")), reading(down, pay("b")));

        assertThat(entries)
                .extracting(BatchedRequestsTest::problemOf)
                .containsOnly(Problem.Type.STORE_UNAVAILABLE)
                .hasSize(2);
    }

    @Test
    void aRequestThatEntersTwiceFailsAlone() {
        Reading twice = reading(door, pay("twice"));
        twice.enter();

        List<CompletableFuture<RequestDecision>> entries =
                Reading.enterAll(List.of(twice, reading(door, pay("once"))), Runnable::run);

        assertThatThrownBy(() -> entries.get(0).join()).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(entries.get(1).join()).isInstanceOf(RequestDecision.Run.class);
    }

    @Test
    void everyAnswerIsKeptAsItsStatusSays() {
        RequestDecision.Run kept = run("kept");
        RequestDecision.Run forgotten = run("forgotten");
        RequestDecision.Run lost = run("lost");
        time.pause(Duration.ofHours(1));
        RequestDecision.Run taken =
                (RequestDecision.Run) doorElsewhere(RERUNNING).enter(pay("lost"), PAY.body());

        List<Optional<Problem>> problems = complete(
                new Completing(kept, Answer.of(201, new byte[] {1})),
                new Completing(forgotten, Answer.of(503, new byte[0])),
                new Completing(lost, Answer.of(201, new byte[] {2})));

        assertThat(problems.get(0)).isEmpty();
        assertThat(problems.get(1)).isEmpty();
        assertThat(problems.get(2).orElseThrow().type()).isEqualTo(Problem.Type.IN_PROGRESS);
        assertThat(send(pay("kept")).body()).containsExactly(1);
        assertThat(send(pay("forgotten")).status()).isEqualTo(201);
        assertThat(taken.complete(Answer.of(201, new byte[] {3}))).isEmpty();
    }

    @Test
    void aRunThatHasEndedFailsAloneAndTheOthersAreRecorded() {
        RequestDecision.Run ended = run("ended");
        ended.release();

        List<CompletableFuture<Optional<Problem>>> problems = RequestDecision.Run.completeAll(
                List.of(
                        new Completing(run("first"), Answer.of(201, new byte[] {1})),
                        new Completing(ended, Answer.of(201, new byte[] {2})),
                        new Completing(run("last"), Answer.of(201, new byte[] {3}))),
                Runnable::run);

        assertThat(problems.get(0).join()).isEmpty();
        assertThatThrownBy(() -> problems.get(1).join()).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(problems.get(2).join()).isEmpty();
        assertThat(send(pay("first")).body()).containsExactly(1);
        assertThat(send(pay("last")).body()).containsExactly(3);
    }

    private RequestDecision.Run run(String key) {
        return (RequestDecision.Run) door.enter(pay(key), PAY.body());
    }

    private static Message pay(String key) {
        return Message.post("/payments").key("\"" + key + "\"").json("{\"orderId\":\"17\",\"amountCents\":500}");
    }

    private static Reading reading(HttpIdempotency door, Message message) {
        Reading reading = (Reading) door.admit(message);
        reading.update(message.body(), 0, message.body().length);
        return reading;
    }

    private static List<RequestDecision> enter(Reading... readings) {
        return Reading.enterAll(List.of(readings), Runnable::run).stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static List<Optional<Problem>> complete(Completing... completings) {
        return RequestDecision.Run.completeAll(Stream.of(completings).toList(), Runnable::run).stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static Problem.Type problemOf(RequestDecision entry) {
        return ((RequestDecision.Refuse) entry).problem().type();
    }
}
