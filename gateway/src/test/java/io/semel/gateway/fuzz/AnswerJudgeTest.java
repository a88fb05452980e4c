// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.gateway.fuzz.AnswerReader.Answered;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The judge of answers is shown what a wrong gateway would do, and blames it. */
class AnswerJudgeTest {

    private static final String ID = RequestStream.id(1) + 0;
    private static final String OTHER = RequestStream.id(2) + 0;
    private static final Asked ASKED = new Asked(ID, "POST", true, "body", false);
    private static final AnswerScript SAID = script(
            "{body}HTTP/1.1 201 Created\r\nLocation: /1\r\nContent-Length: 4\r\n\r\ngoodHTTP/1.1 200 OK\r\n\r\n");
    private static final AnswerScript CUT = script("{body}HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\ngo{close}");
    private static final AnswerScript UNENDED = script("{body}HTTP/1.1 201 Created\r\n\r\ngo{reset}");
    private static final AnswerScript FAILED = script("{body}HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n");

    @Test
    void whatIsRightIsNotBlamed() {
        AnswerJudge judge = new AnswerJudge(ASKED, List.of(FAILED, SAID));
        judge.judge(answer(201, "good"));
        judge.judge(answer(500, ""));
        judge.judgeRuns();
        judge.judgeRetry(answer(201, "good"), answer(201, "good", "Idempotent-Replayed", "true"));
    }

    @Test
    void whatIsSaidToOthersIsFound() {
        blamed(() -> judge(SAID).judge(answer(201, "good", "X-Echo", OTHER)));
        blamed(() -> judge(SAID).judge(answer(201, "answer to " + OTHER)));
    }

    @Test
    void whatWasNotSaidIsFound() {
        blamed(() -> judge(SAID).judge(answer(201, "goodHTTP/1.1 200 OK\r\n\r\n")));
        blamed(() -> judge(SAID).judge(answer(201, "goo")));
        blamed(() -> judge(SAID).judge(answer(200, "good")));
        blamed(() -> judge().judge(answer(200, "")));
    }

    @Test
    void whatIsNotWholeIsNoAnswer() {
        blamed(() -> judge(CUT).judge(answer(201, "go")));
        blamed(() -> judge(UNENDED).judge(answer(201, "go")));
    }

    @Test
    void aSecondRunIsFound() {
        blamed(() -> judge(SAID, SAID).judgeRuns());
        blamed(() -> judge(CUT, SAID).judgeRuns());
        blamed(() -> judge(FAILED, SAID, SAID).judgeRuns());
    }

    @Test
    void aRetryThatGetsSomethingElseIsFound() {
        Answered first = answer(201, "good", "Location", "/1");
        blamed(() -> judge(SAID).judgeRetry(first, first));
        blamed(() -> judge(SAID).judgeRetry(first, answer(201, "goo", "Idempotent-Replayed", "true")));
        blamed(() -> judge(SAID).judgeRetry(first, answer(200, "good", "Idempotent-Replayed", "true")));
        blamed(() -> judge(SAID).judgeRetry(first, answer(201, "good", "Idempotent-Replayed", "true")));
        blamed(() -> judge(FAILED).judgeRetry(answer(500, ""), answer(500, "", "Idempotent-Replayed", "true")));
    }

    private static void blamed(ThrowingCallable judging) {
        assertThatThrownBy(judging).isInstanceOf(AssertionError.class);
    }

    private static AnswerJudge judge(AnswerScript... played) {
        return new AnswerJudge(ASKED, List.of(played));
    }

    private static AnswerScript script(String text) {
        return new AnswerScript(text, false);
    }

    private static Answered answer(int status, String body, String... fields) {
        Fields all = new Fields();
        for (int i = 0; i < fields.length; i += 2) {
            all.add(fields[i], fields[i + 1]);
        }
        return new Answered(status, all, body, false);
    }
}
