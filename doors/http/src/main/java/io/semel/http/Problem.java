// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.http.internal.text.Ascii;
import io.semel.http.internal.text.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The reason, in the form of RFC 9457, why a request was not executed or not answered; {@code docs/http-profile.md} explains each type.
 *
 * @param uri identifies the type to clients
 * @param retryAfter null where a retry is of no use before something else changes
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

    /** Rounded up, and never zero: an immediate retry would get the same problem. */
    private static long seconds(Duration pause) {
        return Math.max(1, pause.plusNanos(999_999_999).toSeconds());
    }

    /** The kinds of problems; their names and meanings never change. */
    public enum Type {
        MISSING_KEY(400, "Idempotency key required"),
        MALFORMED_KEY(400, "Malformed idempotency key"),
        MALFORMED_FIRST_SENT(400, "Malformed time of first sending"),
        MALFORMED_SESSION(400, "Malformed session headers"),
        FUTURE_DATED(400, "Idempotency key dated in the future"),
        UNREADABLE_BODY(400, "Unreadable request body"),
        SESSION_UNKNOWN(404, "Unknown session"),
        CODING_NOT_ACCEPTABLE(406, "Stored answer not available in an accepted content coding"),
        IN_PROGRESS(409, "Request in progress"),
        OUTCOME_UNKNOWN(409, "Outcome unknown"),
        SESSION_OUT_OF_ORDER(409, "Request out of order"),
        SESSION_WINDOW_FULL(409, "Session window full"),
        SESSION_EXPIRED(410, "Session expired"),
        SESSION_STALE(410, "Answer already acknowledged"),
        GONE(410, "Idempotency key expired"),
        RESULT_UNAVAILABLE(410, "Answer not retained"),
        BODY_TOO_LARGE(413, "Request body too large"),
        KEY_REUSED(422, "Idempotency key or number reused for a different request"),
        REJECTED(422, "Request rejected"),
        TOO_MANY_SESSIONS(429, "Too many sessions for this caller"),
        RESULT_UNREADABLE(500, "Stored answer unreadable"),
        UNSUPPORTED(501, "Idempotency keys or sessions not supported"),
        SESSIONS_FULL(503, "Session limit reached"),
        STORE_UNAVAILABLE(503, "Idempotency store unavailable");

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
