// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.semel.gateway.callers.CallerRefused;
import io.semel.http.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** The gateway's own refusals as problems of RFC 9457; those about keys come from the HTTP rules. */
public enum Refusal {
    MALFORMED_REQUEST(400, "Malformed request", "It does not conform to RFC 9110 to 9113. It was not executed."),
    AMBIGUOUS_TARGET(
            400,
            "Ambiguous request target",
            "Some services would read its method or path as that of another route. It was not executed. Send it"
                    + " without encoded slashes and dots, empty segments, semicolons, backslashes and a trailing slash,"
                    + " and mind capital letters."),
    TLS_EXPECTED(400, "HTTPS required", "Use https:// instead of http://. The request was not executed."),
    CALLER_AMBIGUOUS(400, "Ambiguous caller", "Send the credential of one caller. The request was not executed."),
    UNAUTHENTICATED(401, "Invalid token", "Send a signed, current bearer token for this service."),
    ANONYMOUS_REFUSED(403, "Credential required", "A request with a key needs a credential. It was not executed."),
    FORBIDDEN(
            403,
            "Stored response not authorized",
            "The caller is not authorized to get the stored response. The request was not executed."),
    METHOD_REFUSED(405, "Method not allowed", "The gateway does not forward CONNECT and TRACE."),
    TOO_SLOW(408, "Request timeout", "The request arrived too slowly and was not executed. Retry with the same key."),
    BODY_CUT_SHORT(
            408,
            "Body timeout",
            "The service has a part of the body, which arrived too slowly. The request may have been executed."),
    URI_TOO_LONG(414, "Request target too long", "Send a shorter target. The request was not executed."),
    TOO_MUCH_AT_ONCE(
            429,
            "Client exceeds its share of memory",
            "Its open requests and unread responses use all the memory that one client may use. The request was not"
                    + " executed. Retry with the same key."),
    QUOTA_USED_UP(
            429,
            "Storage quota exceeded",
            "New keys are refused for the time in Retry-After; retries of completed requests get their responses. The"
                    + " request was not executed. Retry with the same key."),
    HEADER_TOO_LARGE(431, "Header too large", "Send fewer or shorter header fields. The request was not executed."),
    INTERNAL(500, "Internal gateway error", "The gateway's log has the cause. Retry with the same key."),
    NOT_IMPLEMENTED(
            501, "Transfer coding not supported", "Send the body plain or chunked. The request was not executed."),
    CREDENTIAL_NOT_CONFIGURED(501, "Credential not configured", "The request was not executed."),
    CREDENTIAL_CHANGES(501, "Credential changes with every request", "The request was not executed."),
    UPSTREAM_UNREACHABLE(
            502, "Service unreachable", "The request was not sent to the service. Retry with the same key."),
    UPSTREAM_FAILED(502, "Invalid response from the service", "The request had no key, so its outcome is unknown."),
    OVERLOADED(503, "Gateway overloaded", "The request was not executed. Retry with the same key."),
    TOO_MANY_CONNECTIONS(
            503, "Too many connections from this address", "Close some, or reuse them. The request was not executed."),
    CALLER_NOT_CHECKED(
            503, "Caller verification unavailable", "The request was not executed. Retry with the same key."),
    NOT_AUTHORIZED_NOW(
            503, "Authorization check unavailable", "The request was not executed. Retry with the same key."),
    UPSTREAM_SILENT(504, "Service timeout", "The request had no key, so its outcome is unknown.");

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
