// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.AnswerKind;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Rejection;
import io.semel.http.Answer;
import io.semel.http.HttpRules;
import io.semel.store.Claim;
import io.semel.testkit.ForwardingStore;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever was recorded for a key, its retries are told so, and none is the server's fault. */
class RecordedKindsTest extends Service {

    @ParameterizedTest
    @EnumSource
    void everyKindOfRecordHasItsAnswer(AnswerKind kind) throws Exception {
        filter = filter(recording(kind), PAYMENTS, HttpRules.standard());
        String expected = switch (kind) {
            case VALUE -> "200 ";
            case REJECTED -> "422 rejected";
            case NOT_RETAINED -> "410 result-unavailable";
            case UNKNOWN -> "409 outcome-unknown";
        };

        assertThat(told()).isEqualTo(expected);
        assertThat(told()).isEqualTo(expected);
        assertThat(effects).hasValue(0);
    }

    private String told() throws Exception {
        HttpResponse<String> answer = send(pay());
        return answer.statusCode() + " " + problem(answer);
    }

    private ForwardingStore recording(AnswerKind kind) {
        return new ForwardingStore(store) {
            @Override
            public Claim claim(Call call, String holder, Duration lease) {
                if (peek(call.key()).isEmpty()
                        && Engine.on(store).begin(call, Answer.codec()) instanceof Begun.Started<Answer> started) {
                    record(started, kind);
                }
                return super.claim(call, holder, lease);
            }
        };
    }

    private static void record(Begun.Started<Answer> started, AnswerKind kind) {
        switch (kind) {
            case VALUE -> started.complete(Answer.of(200, "kept".getBytes(UTF_8)));
            case REJECTED -> started.reject(new Rejection("limit", "Too much at once."));
            case NOT_RETAINED -> started.complete(Answer.of(200, new byte[2 << 20]));
            case UNKNOWN -> started.hold("for a test");
        }
    }
}
