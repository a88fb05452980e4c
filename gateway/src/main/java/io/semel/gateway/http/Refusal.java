// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.semel.gateway.callers.CallerRefused;
import io.semel.http.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** The gateway's own refusals as problems of RFC 9457; those about keys come from the HTTP rules. */
public enum Refusal {
    MALFORMED_REQUEST(400, "The request is malformed", "It is not HTTP as RFC 9110 to 9113 have it. Nothing was run."),
    AMBIGUOUS_TARGET(
            400,
            "The request target can be read in two ways",
            "Its method or path would take another route if it were read as some services do. Nothing was run. Send it"
                    + " without encoded slashes and dots, empty segments, semicolons, backslashes and a trailing slash,"
                    + " and mind capital letters."),
    TLS_EXPECTED(400, "This port speaks HTTPS", "Write https:// for http://. Nothing was run."),
    CALLER_AMBIGUOUS(400, "The request names two callers", "Send one. Nothing was run."),
    UNAUTHENTICATED(401, "The token is not valid", "Send a bearer token that is signed, current and for this service."),
    ANONYMOUS_REFUSED(403, "A key needs a caller", "Send your credential. Nothing was run."),
    FORBIDDEN(403, "The kept answer may not be handed out", "The caller has no right to it now. Nothing was run."),
    METHOD_REFUSED(405, "This method is not passed on", "The gateway does not pass CONNECT and TRACE on."),
    TOO_SLOW(408, "The request took too long to arrive", "Nothing was run. Retry with the same key."),
    URI_TOO_LONG(414, "The request target is too long", "Send a shorter one. Nothing was run."),
    TOO_MUCH_AT_ONCE(
            429,
            "Too much is held for this client",
            "Its requests or unread answers take all the room that one client may have. Nothing was run. Retry with"
                    + " the same key."),
    QUOTA_USED_UP(
            429,
            "As much is stored for this client as may be for now",
            "Its new keys are refused until the time in Retry-After is over; retries of what was carried out get their"
                    + " answers. Nothing was run. Retry with the same key."),
    HEADER_TOO_LARGE(431, "The header is too large", "Send less of it. Nothing was run."),
    INTERNAL(500, "The gateway failed", "Its log says how. Retry with the same key."),
    NOT_IMPLEMENTED(501, "This transfer coding is not understood", "Send the body plain or chunked. Nothing was run."),
    CREDENTIAL_NOT_CONFIGURED(501, "The credential is not configured", "Nothing was run."),
    CREDENTIAL_CHANGES(501, "The credential changes with every request", "Nothing was run."),
    UPSTREAM_UNREACHABLE(
            502, "The service cannot be reached", "It was not asked, so nothing was run. Retry with the same key."),
    UPSTREAM_FAILED(
            502, "The service broke off", "The request had no key, so nobody knows whether it was carried out."),
    OVERLOADED(503, "The gateway has too much to do", "Nothing was run. Retry with the same key."),
    TOO_MANY_CONNECTIONS(
            503, "There are too many connections from this address", "Close some, or use them again. Nothing was run."),
    CALLER_NOT_CHECKED(503, "Who asks cannot be checked now", "Nothing was run. Retry with the same key."),
    NOT_AUTHORIZED_NOW(
            503, "The right to the kept answer cannot be checked now", "Nothing was run. Retry with the same key."),
    UPSTREAM_SILENT(
            504,
            "The service did not answer in time",
            "The request had no key, so nobody knows whether it was carried out.");

    private final int status;
    private final String title;
    private final String detail;

    Refusal(int status, String title, String detail) {
        this.status = status;
        this.title = title;
        this.detail = detail;
    }

    /** For a request whose caller cannot be identified; the exception says how to correct it. */
    public static Answer of(CallerRefused refused) {
        Refusal refusal = reason(refused);
        boolean plain = refusal == UNAUTHENTICATED || refusal == CALLER_NOT_CHECKED;
        return refusal.answer(plain ? refusal.detail : String.valueOf(refused.getMessage()));
    }

    public static Refusal reason(CallerRefused refused) {
        return valueOf(refused.reason().name());
    }

    /** For a request that may be sent again after that time. */
    public Answer answer(Duration again) {
        long seconds = Math.max(1, again.plusMillis(999).toSeconds());
        return answer(detail).with("Retry-After", Long.toString(seconds));
    }

    public int status() {
        return status;
    }

    /** The name of the problem's type. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public Answer answer() {
        return answer(detail);
    }

    /** The text contains nothing from a client, so nothing has to be escaped. */
    private Answer answer(String text) {
        String json = """
            {"type":"urn:semel:problem:%s","title":"%s","status":%d,"detail":"%s"}\
            """.formatted(slug(), title, status, text);
        Answer answer = Answer.of(status, json.getBytes(StandardCharsets.US_ASCII))
                .with("Content-Type", "application/problem+json")
                .with("Cache-Control", "no-store");
        boolean again = this == UPSTREAM_UNREACHABLE
                || this == OVERLOADED
                || this == TOO_MUCH_AT_ONCE
                || this == TOO_MANY_CONNECTIONS
                || this == CALLER_NOT_CHECKED
                || this == NOT_AUTHORIZED_NOW
                || this == TOO_SLOW;
        if (this == UNAUTHENTICATED) {
            return answer.with("WWW-Authenticate", "Bearer");
        }
        return again ? answer.with("Retry-After", "1") : answer;
    }
}
