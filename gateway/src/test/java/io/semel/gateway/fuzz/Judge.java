// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.fuzz.AnswerReader.Answered;
import java.io.IOException;
import java.util.List;

/** Says whether a proxy did right by one stream of requests; throws an AssertionError where it did not. */
final class Judge {

    private static final int TOO_SLOW = 408;

    private final RequestStream stream;
    private final List<ReceivedRequest> allowed;

    Judge(RequestStream stream) {
        this.stream = stream;
        this.allowed = RequestReader.read(stream.bytes()).stream()
                .map(ReceivedRequest::inOriginForm)
                .toList();
    }

    /** Whether this was a stream that had to be answered whole, and was. */
    boolean judge(Answers answers, List<ReceivedRequest> arrived) {
        assertThat(answers.isEnded()).as("ended by itself: %s", stream).isTrue();
        judge(arrived);
        List<Answered> read = read(answers);
        List<Answered> echoes =
                read.stream().filter(each -> each.fields().has("x-echo")).toList();
        List<String> ids = arrived.stream().map(ReceivedRequest::id).toList();
        assertThat(ids.size())
                .as("more answers than requests: %s\n%s", stream, answers)
                .isGreaterThanOrEqualTo(echoes.size());
        for (int i = 0; i < echoes.size(); i++) {
            judge(echoes.get(i), arrived.get(i), answers);
        }
        boolean slow = answers.isReset() || read.stream().anyMatch(each -> each.status() == TOO_SLOW);
        if (!slow) {
            assertThat(echoes)
                    .as("whoever was passed on is answered: %s\n%s", stream, answers)
                    .hasSameSizeAs(arrived);
        }
        if (stream.isValid() && !slow) {
            assertThat(echoes)
                    .as("everything is answered: %s\n%s", stream, answers)
                    .hasSameSizeAs(allowed);
        }
        return stream.isValid() && !slow;
    }

    private List<Answered> read(Answers answers) {
        try {
            return answers.read();
        } catch (IOException e) {
            throw new AssertionError("Answers that cannot be read: " + e + "\n" + stream + "\n" + answers, e);
        }
    }

    /** Nothing arrives but what is in the stream, as it is there, in its order. */
    void judge(List<ReceivedRequest> arrived) {
        int next = 0;
        for (ReceivedRequest each : arrived) {
            while (next < allowed.size() && !allowed.get(next).equals(each)) {
                next++;
            }
            assertThat(next++ < allowed.size())
                    .as("%s arrived, but allowed are %s: %s", each, allowed, stream)
                    .isTrue();
        }
    }

    private void judge(Answered answer, ReceivedRequest request, Answers all) {
        assertThat(answer.echo()).as("whose answer: %s\n%s", stream, all).isEqualTo(request.id());
        String body = request.method().equals("HEAD") ? "" : "answer to " + request.id();
        assertThat(answer.body()).as("the answer's body: %s\n%s", stream, all).isEqualTo(body);
        assertThat(answer.fields().one("x-echo-method")).isEqualTo(request.method());
    }
}
