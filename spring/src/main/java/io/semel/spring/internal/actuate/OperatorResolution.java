// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import io.semel.Codec;
import io.semel.Operator;
import io.semel.spring.internal.json.InvalidJson;
import io.semel.spring.internal.json.Json;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
    private static final String UTF8 = "utf8";
    private static final String NOTHING = "nothing";
    private static final List<String> FORMS = List.of(HTTP, JSON, UTF8, NOTHING);

    /** @param named the form that the operator names, which only a key of another service's requires */
    Operator.Result apply(OperatorVerdict verdict, @Nullable String named, Operator operator, Slot seen) {
        if (verdict instanceof OperatorVerdict.Release) {
            return operator.release(seen);
        }
        String form = form(operator, seen, named);
        if (verdict instanceof OperatorVerdict.OfRequest given && form.equals(HTTP)) {
            return HttpAnswerResolution.resolve(operator, seen, given.status(), given.contentType(), given.body());
        }
        if (verdict instanceof OperatorVerdict.OfMethod given && form.equals(JSON)) {
            return operator.resolve(seen, new Written(JSON), checked(given.answer(), seen));
        }
        if (verdict instanceof OperatorVerdict.OfMethod given && form.equals(UTF8)) {
            return operator.resolve(seen, new Written(UTF8), given.answer());
        }
        if (verdict instanceof OperatorVerdict.OfMethod given && form.equals(NOTHING) && isNull(given.answer())) {
            return operator.resolve(seen, new Written(NOTHING), "");
        }
        throw otherForm(form);
    }

    /** A lapsed key does not say it, and of one that is nobody's here only the operator knows it. */
    private String form(Operator operator, Slot seen, @Nullable String named) {
        if (named != null && !FORMS.contains(named)) {
            throw EndpointRefusals.refused("There is no form '" + named + "'." + ClosestName.hint(named, FORMS)
                    + " The forms are " + String.join(", ", FORMS) + ".");
        }
        String scope = seen.key().scope();
        String known = operator.form(seen)
                .or(() -> methods.apply(scope).map(Codec::form))
                .orElse(isOfRequests(scope) ? HTTP : named);
        if (known == null) {
            throw EndpointRefusals.refused(
                    "The key is lapsed, and its scope belongs to no method and no HTTP request of"
                            + " this service, so nothing says how its own service stores answers. Name the 'form': json for"
                            + " @Idempotent methods, utf8 or nothing for a program that stores text or nothing, http for HTTP"
                            + " requests; or release the key.");
        }
        if (named != null && !named.equals(known)) {
            throw EndpointRefusals.refused("The key belongs to a service that stores answers as '" + known + "', not '"
                    + named + "'. Leave the form out.");
        }
        return known;
    }

    private boolean isOfRequests(String scope) {
        return scope.equals(namespace) || scope.startsWith(namespace + "/");
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
                    case UTF8 -> "The key belongs to a program that stores text: give answer, not status.";
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
