// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.http.internal.text.Ascii;
import io.semel.http.internal.text.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was not run, or not answered, as RFC 9457 has it; {@code docs/http-profile.md} explains each type.
 *
 * @param uri what identifies the type to clients
 * @param retryAfter null where asking again is of no use before something else changes
 */
public record Problem(
        Type type,
        String uri,
        int status,
        String detail,
        @Nullable Duration retryAfter) {

    /** The response to send. */
    public Answer answer() {
        StringBuilder json = new StringBuilder();
        json.append("{\"type\":");
        JsonText.quote(uri, json, true);
        json.append(",\"title\":");
        JsonText.quote(type.title, json, true);
        json.append(",\"status\":").append(status).append(",\"detail\":");
        JsonText.quote(detail, json, true);
        json.append('}');
        Answer answer = Answer.of(status, json.toString().getBytes(StandardCharsets.US_ASCII))
                .with("Content-Type", "application/problem+json")
                .with("Cache-Control", "no-store");
        return retryAfter == null ? answer : answer.with("Retry-After", Long.toString(seconds(retryAfter)));
    }

    /** Rounded up, and never zero: a client that comes back at once is told the same. */
    private static long seconds(Duration pause) {
        return Math.max(1, pause.plusNanos(999_999_999).toSeconds());
    }

    /** The kinds of problems; their names and meanings never change. */
    public enum Type {
        MISSING_KEY(400, "An idempotency key is required"),
        MALFORMED_KEY(400, "The idempotency key is malformed"),
        MALFORMED_FIRST_SENT(400, "The time of first sending is malformed"),
        MALFORMED_SESSION(400, "What is said of a session is malformed"),
        FUTURE_DATED(400, "The idempotency key is dated in the future"),
        UNREADABLE_BODY(400, "The body cannot be compared"),
        SESSION_UNKNOWN(404, "There is no such session"),
        CODING_NOT_ACCEPTABLE(406, "The kept answer is in a content coding that was not accepted"),
        IN_PROGRESS(409, "The request is in progress"),
        OUTCOME_UNKNOWN(409, "Nobody knows whether the request was carried out"),
        SESSION_OUT_OF_ORDER(409, "A smaller number of the session comes first"),
        SESSION_WINDOW_FULL(409, "Too many numbers of the session are outstanding"),
        SESSION_EXPIRED(410, "The session has expired"),
        SESSION_STALE(410, "The answer has been received before"),
        GONE(410, "The idempotency key is too old"),
        RESULT_UNAVAILABLE(410, "The request was carried out, but its answer was not kept"),
        BODY_TOO_LARGE(413, "The body is too large"),
        KEY_REUSED(422, "The key or number was used for another request"),
        REJECTED(422, "The request was refused for good"),
        TOO_MANY_SESSIONS(429, "You have as many sessions as you may"),
        RESULT_UNREADABLE(500, "The request was carried out, but its answer cannot be read"),
        UNSUPPORTED(501, "Idempotency keys or sessions are not supported here"),
        SESSIONS_FULL(503, "There are as many sessions as there may be"),
        STORE_UNAVAILABLE(503, "What was asked before cannot be looked up now");

        private final int status;
        private final String title;

        Type(int status, String title) {
            this.status = status;
            this.title = title;
        }

        int status() {
            return status;
        }

        /** The name in the URI: lower case, with hyphens. */
        public String slug() {
            return Ascii.lower(name()).replace('_', '-');
        }
    }
}
