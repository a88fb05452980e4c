// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import io.semel.Codec;
import io.semel.Operator;
import io.semel.http.Answer;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * An answer that an operator gives, in the form that the owner of the key reads: an HTTP answer for keys of HTTP requests, JSON or
 * text for those of a program.
 *
 * @param form as the operator says it; empty where the key is to say it
 */
record ManualAnswer(String form, int status, String body, String contentType) {

    private static final List<String> FORMS = List.of("http", "json", "utf8", "nothing");
    /** How callers of HTTP are named after the namespace, see {@code Caller.scope}. */
    private static final String HTTP_SCOPE = "[^/]+/(anonymous|(principal|tenant|hash)/.+)";

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final String MEDIA_TYPE =
            TOKEN + "/" + TOKEN + "( *; *" + TOKEN + "=(" + TOKEN + "|\"[\\x20-\\x7e&&[^\"\\\\]]*\"))*";

    static ManualAnswer of(ObjectNode body) {
        String form = body.path("form").asString("");
        if (!form.isEmpty() && !FORMS.contains(form)) {
            throw new IllegalArgumentException(
                    "There is no form '" + form + "'; there are " + String.join(", ", FORMS) + ".");
        }
        return new ManualAnswer(
                form,
                status(body),
                body.path("body").asString(""),
                contentType(body.path("contentType").asString("application/json")));
    }

    private static int status(ObjectNode body) {
        int status = body.path("status").asInt(200);
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("The status of an answer is from 200 to 599, not " + status + ".");
        }
        return status;
    }

    /** It becomes a header of every replay. */
    private static String contentType(String text) {
        if (!text.matches(MEDIA_TYPE)) {
            throw new IllegalArgumentException(
                    "The content type has to be one, such as application/json; this one cannot be sent as a header.");
        }
        return text;
    }

    /** Among many keys, one of another form stops none of the others. */
    Operator.Result resolveIfPossible(Operator operator, Slot slot) {
        try {
            return resolve(operator, slot);
        } catch (IllegalArgumentException e) {
            return Operator.Result.OTHER_FORM;
        }
    }

    Operator.Result resolve(Operator operator, Slot slot) {
        String needed = operator.form(slot).orElseGet(() -> guessed(slot));
        if (!form.isEmpty() && !form.equals(needed) && operator.form(slot).isPresent()) {
            throw new IllegalArgumentException(slot.key() + " belongs to a service that keeps its answers as '" + needed
                    + "', and would not understand '" + form + "'; leave the form out.");
        }
        return switch (needed) {
            case "http" ->
                operator.resolve(
                        slot,
                        Answer.codec(),
                        Answer.of(status, body.getBytes(StandardCharsets.UTF_8)).with("Content-Type", contentType));
            case "json" -> operator.resolve(slot, new Text("json"), json());
            case "utf8" -> operator.resolve(slot, new Text("utf8"), body);
            case "nothing" -> operator.resolve(slot, new Text("nothing"), "");
            default ->
                throw new IllegalArgumentException(slot.key() + " belongs to a service that keeps its answers as '"
                        + needed + "', which cannot be written here; resolve it with a tool of that service, or release"
                        + " it.");
        };
    }

    /** A lapsed key does not say its form, so it is the operator's, or that of the scope that HTTP requests have. */
    private String guessed(Slot slot) {
        if (!form.isEmpty()) {
            return form;
        }
        if (slot.key().scope().matches(HTTP_SCOPE)) {
            return "http";
        }
        throw new IllegalArgumentException(
                slot.key() + " is not a key of an HTTP request, and does not say how its service keeps answers. Say"
                        + " it: --form json for @Idempotent methods, utf8 or nothing for what a program wrote so,"
                        + " http for HTTP; or release it.");
    }

    private String json() {
        try {
            return JsonMapper.shared().readTree(body).toString();
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "The answer has to be JSON, because the service of this key keeps its answers so: "
                            + e.getOriginalMessage().toLowerCase(Locale.ROOT),
                    e);
        }
    }

    private record Text(String form) implements Codec<String> {

        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
