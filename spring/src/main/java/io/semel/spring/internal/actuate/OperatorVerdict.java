// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeTypeUtils;

/** An operator's verdict about a call, never inferred from omitted parameters. */
public sealed interface OperatorVerdict {

    List<String> NAMES = List.of("resolve", "release");
    int LOWEST_STATUS = 200;
    int HIGHEST_STATUS = 599;

    /** It did not happen, and a retry is to run. */
    record Release() implements OperatorVerdict {}

    /** It happened, and this is what the method returned, as JSON. */
    record OfMethod(String answer) implements OperatorVerdict {}

    /** It happened, and this is what the request was answered with. */
    record OfRequest(
            int status,
            @Nullable String contentType,
            @Nullable String body) implements OperatorVerdict {}

    static OperatorVerdict of(
            String verdict,
            @Nullable String answer,
            @Nullable Integer status,
            @Nullable String contentType,
            @Nullable String body,
            @Nullable String form) {
        return switch (verdict) {
            case "release" -> release(answer, status, contentType, body, form);
            case "resolve" -> resolve(answer, status, contentType, body);
            default ->
                throw EndpointRefusals.refused(
                        "There is no verdict '" + verdict + "'." + ClosestName.hint(verdict, NAMES)
                                + " Use 'resolve' with the answer if the call happened, 'release' if it did not.");
        };
    }

    private static OperatorVerdict release(
            @Nullable String answer,
            @Nullable Integer status,
            @Nullable String contentType,
            @Nullable String body,
            @Nullable String form) {
        Map<String, @Nullable Object> about = new LinkedHashMap<>();
        about.put("answer", answer);
        about.put("status", status);
        about.put("contentType", contentType);
        about.put("body", body);
        about.put("form", form);
        String given = about.entrySet().stream()
                .filter(each -> each.getValue() != null)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
        if (given != null) {
            throw EndpointRefusals.refused("The verdict 'release' means that the call did not happen, but '" + given
                    + "' describes its answer. Leave one of them out; use 'resolve' to give an answer.");
        }
        return new Release();
    }

    private static OperatorVerdict resolve(
            @Nullable String answer, @Nullable Integer status, @Nullable String contentType, @Nullable String body) {
        if (answer != null) {
            if (status != null || contentType != null || body != null) {
                throw EndpointRefusals.refused(
                        "Give either 'answer', for the key of a method, or 'status', 'contentType' and"
                                + " 'body', for the key of an HTTP request.");
            }
            return new OfMethod(answer);
        }
        if (status == null) {
            throw EndpointRefusals.refused(
                    "The verdict 'resolve' requires the answer: 'answer', as JSON, for the key of a method; 'status',"
                            + " and optionally 'contentType' and 'body', for the key of an HTTP request.");
        }
        if (status < LOWEST_STATUS || status > HIGHEST_STATUS) {
            throw EndpointRefusals.refused("Status " + status + " is not a final HTTP status.");
        }
        check(contentType);
        return new OfRequest(status, contentType, body);
    }

    /** It becomes a header of every replay. */
    private static void check(@Nullable String contentType) {
        if (contentType == null) {
            return;
        }
        boolean plain = contentType.chars().allMatch(c -> c >= ' ' && c < 0x7f);
        try {
            MimeTypeUtils.parseMimeType(plain ? contentType : "");
        } catch (InvalidMimeTypeException e) {
            throw EndpointRefusals.refused("The contentType must be a media type, such as application/json.");
        }
    }
}
