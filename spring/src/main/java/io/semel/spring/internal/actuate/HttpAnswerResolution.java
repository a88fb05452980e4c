// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import io.semel.Operator;
import io.semel.http.Answer;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The resolution of a request with an operator's answer; separate, because semel-http may be missing. */
final class HttpAnswerResolution {

    static Operator.Result resolve(
            Operator operator, Slot seen, int status, @Nullable String contentType, @Nullable String body) {
        Answer answer = Answer.of(status, body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8));
        return operator.resolve(
                seen, Answer.codec(), contentType == null ? answer : answer.with("Content-Type", contentType));
    }

    private HttpAnswerResolution() {}
}
