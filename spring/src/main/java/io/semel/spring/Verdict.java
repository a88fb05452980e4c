// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeTypeUtils;

/** What an operator says became of a call. It is never guessed from what was left out. */
sealed interface Verdict {

    List<String> NAMES = List.of("resolve", "release");
    int LOWEST_STATUS = 200;
    int HIGHEST_STATUS = 599;

    /** It did not happen, and a retry is to run. */
    record Release() implements Verdict {}

    /** It happened, and this is what the method returned, as JSON. */
    record OfMethod(String answer) implements Verdict {}

    /** It happened, and this is what the request was answered with. */
    record OfRequest(
            int status,
            @Nullable String contentType,
            @Nullable String body) implements Verdict {}

    static Verdict of(
            String verdict,
            @Nullable String answer,
            @Nullable Integer status,
            @Nullable String contentType,
            @Nullable String body) {
        return switch (verdict) {
            case "release" -> release(answer, status, contentType, body);
            case "resolve" -> resolve(answer, status, contentType, body);
            default ->
                throw Refusals.refused("There is no verdict '" + verdict + "'." + Nearest.hint(verdict, NAMES)
                        + " Say 'resolve' and give the answer if it happened, 'release' if it did not.");
        };
    }

    private static Verdict release(
            @Nullable String answer, @Nullable Integer status, @Nullable String contentType, @Nullable String body) {
        String given = answer != null
                ? "answer"
                : status != null ? "status" : contentType != null ? "contentType" : body != null ? "body" : null;
        if (given != null) {
            throw Refusals.refused("The verdict 'release' says that it did not happen, '" + given
                    + "' says what it was answered with. Leave one out: with an answer it is 'resolve'.");
        }
        return new Release();
    }

    private static Verdict resolve(
            @Nullable String answer, @Nullable Integer status, @Nullable String contentType, @Nullable String body) {
        if (answer != null) {
            if (status != null || contentType != null || body != null) {
                throw Refusals.refused("Give either 'answer', for the key of a method, or 'status', 'contentType' and"
                        + " 'body', for that of an HTTP request.");
            }
            return new OfMethod(answer);
        }
        if (status == null) {
            throw Refusals.refused("The verdict 'resolve' needs the answer: 'answer', as JSON, for the key of a method;"
                    + " 'status', and perhaps 'contentType' and 'body', for that of an HTTP request.");
        }
        if (status < LOWEST_STATUS || status > HIGHEST_STATUS) {
            throw Refusals.refused("There is no final answer with status " + status + ".");
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
            throw Refusals.refused("The contentType has to be one, such as application/json.");
        }
    }
}
