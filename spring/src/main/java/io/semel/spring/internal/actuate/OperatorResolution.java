// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import io.semel.Codec;
import io.semel.Operator;
import io.semel.spring.internal.json.InvalidJson;
import io.semel.spring.internal.json.Json;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * The execution of an operator's verdict, in the form that the owner of the key reads.
 *
 * @param methods how the marked method of a scope stores its answers; empty where there is none
 * @param json what tells JSON from other text
 * @param namespace what the scopes of HTTP requests begin with
 */
public record OperatorResolution(
        Function<String, Optional<Codec<Optional<Object>>>> methods, Supplier<Json> json, String namespace) {

    private static final String HTTP = "http";
    private static final String JSON = "json";
    private static final String NOTHING = "nothing";

    Operator.Result apply(OperatorVerdict verdict, Operator operator, Slot seen) {
        if (verdict instanceof OperatorVerdict.Release) {
            return operator.release(seen);
        }
        String form = operator.form(seen).orElseGet(() -> form(seen.key().scope(), verdict));
        if (verdict instanceof OperatorVerdict.OfRequest given && form.equals(HTTP)) {
            return HttpAnswerResolution.resolve(operator, seen, given.status(), given.contentType(), given.body());
        }
        if (verdict instanceof OperatorVerdict.OfMethod given && form.equals(JSON)) {
            return operator.resolve(seen, new Written(JSON), checked(given.answer(), seen));
        }
        if (verdict instanceof OperatorVerdict.OfMethod given && form.equals(NOTHING) && isNull(given.answer())) {
            return operator.resolve(seen, new Written(NOTHING), "");
        }
        throw otherForm(form);
    }

    /** A lapsed key does not say it; of one that is nobody's here, the operator knows more. */
    private String form(String scope, OperatorVerdict verdict) {
        boolean http = verdict instanceof OperatorVerdict.OfRequest
                || scope.equals(namespace)
                || scope.startsWith(namespace + "/");
        return methods.apply(scope).map(Codec::form).orElse(http ? HTTP : JSON);
    }

    /** What the method could not read would leave its retries without an answer for good. */
    private String checked(String answer, Slot seen) {
        boolean unused = isNull(answer);
        try {
            methods.apply(seen.key().scope()).ifPresent(codec -> codec.decode(answer.getBytes(StandardCharsets.UTF_8)));
        } catch (InvalidJson e) {
            throw EndpointRefusals.refused(
                    "The answer cannot be read as the return type of the method: " + e.getMessage());
        }
        return answer;
    }

    private boolean isNull(String answer) {
        try {
            return json.get().isNull(answer);
        } catch (InvalidJson e) {
            throw EndpointRefusals.refused("The answer is not JSON: " + e.getMessage() + ".");
        }
    }

    private static InvalidEndpointRequestException otherForm(String form) {
        return EndpointRefusals.refused(
                switch (form) {
                    case HTTP -> "The key belongs to an HTTP request: give status, contentType and body, not answer.";
                    case JSON -> "The key belongs to a method: give answer, as JSON, not status.";
                    case NOTHING -> "The key belongs to a method that returns nothing: give the answer null.";
                    default ->
                        "The key belongs to a service that stores answers as '" + form
                                + "', which cannot be written here.";
                });
    }

    /** What the owner's own codec reads, as it stands. */
    private record Written(String form) implements Codec<String> {

        @Override
        public byte[] encode(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
