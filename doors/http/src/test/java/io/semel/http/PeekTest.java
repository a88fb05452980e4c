// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.session.MemorySessions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a door can say before anybody begins a transaction. */
class PeekTest extends PaymentService {

    private Optional<RequestDecision> peek(Message message) {
        return reading(message).peek();
    }

    private Admission.Reading reading(Message message) {
        Admission.Reading reading = (Admission.Reading) door.admit(message);
        reading.update(message.body(), 0, message.body().length);
        return reading;
    }

    private String peeked(Message message) {
        RequestDecision entry = peek(message).orElseThrow();
        return entry instanceof RequestDecision.Refuse refuse
                ? problem(refuse.problem().answer())
                : entry.toString();
    }

    @Test
    void ofANewRequestNothingIsKnownAndNothingIsClaimed() {
        Admission.Reading reading = reading(PAY);

        assertThat(reading.peek()).isEmpty();
        assertThat(records()).isZero();
        assertThat(reading.enter()).isInstanceOf(RequestDecision.Run.class);
    }

    @Test
    void aRetryIsAnsweredAsByEntering() {
        Answer first = send(PAY);

        assertThat(peek(PAY)).hasValueSatisfying(entry -> {
            Answer answer = ((RequestDecision.Replay) entry).answer();
            assertThat(answer.body()).isEqualTo(first.body());
            assertThat(replayed(answer)).isTrue();
        });
    }

    @Test
    void refusalsAreThoseOfEntering() {
        send(PAY);

        assertThat(peeked(PAY.body("other"))).isEqualTo("key-reused");
        door = door(HttpRules.standard().largestBody(10));
        assertThat(peeked(PAY)).isEqualTo("body-too-large");
    }

    @Test
    void aRequestThatRunsIsInProgress() {
        door.enter(PAY, PAY.body());

        assertThat(peeked(PAY)).isEqualTo("in-progress");
    }

    @Test
    void aRecordedRejectionIsToldAndNoFailure() {
        Call call = reading(PAY).call();
        ((Begun.Started<String>) engine.begin(call, Codec.utf8())).reject(new Rejection("no", "Never."));

        assertThat(peeked(PAY)).isEqualTo("rejected");
    }

    @Test
    void whoIsAnsweredByALookIsHeardOf() {
        MemorySessions sessions = new MemorySessions(2, time);
        HttpSessions offered =
                HttpSessions.on(sessions, Engine.on(sessions, time)).lease(Duration.ofMinutes(1));
        door = door.sessions(offered);
        String id = send(Message.post("/.semel/sessions"))
                .header("Location")
                .orElseThrow()
                .replaceFirst(".*/", "");
        Message one = Message.post("/payments")
                .header("Semel-Session", id)
                .header("Semel-Request", "1")
                .header("Semel-First-Outstanding", "1");
        send(one);

        for (int i = 0; i < 3; i++) {
            time.advance(Duration.ofSeconds(40));
            assertThat(peek(one)).containsInstanceOf(RequestDecision.Replay.class);
        }
        time.advance(Duration.ofSeconds(70));
        assertThat(peek(one)).as("entering tells why").isEmpty();
        assertThat(problem(send(one))).isEqualTo("session-expired");
    }

    @ParameterizedTest
    @EnumSource
    void everyReasonToRefuseHasAProblemOfItsOwnThatIsNotTheServersFault(Outcome.Reason reason) {
        Problem problem = new Problems(HttpRules.standard()).refused(reason);

        assertThat(problem.status()).isBetween(400, 499);
        assertThat(problem.type().slug()).isNotEmpty();
    }
}
