// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.http.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What the gateway itself says no to, as problems of RFC 9457; those about keys are the door's. */
enum Refusal {
    MALFORMED_REQUEST(400, "The request is malformed", "It is not HTTP as RFC 9110 to 9113 have it. Nothing was run."),
    UNAUTHENTICATED(401, "The token is not valid", "Send a bearer token that is signed, current and for this service."),
    FORBIDDEN(403, "The kept answer may not be handed out", "The caller has no right to it now. Nothing was run."),
    METHOD_REFUSED(405, "This method is not passed on", "The gateway does not pass CONNECT and TRACE on."),
    TOO_SLOW(408, "The request took too long to arrive", "Nothing was run. Retry with the same key."),
    URI_TOO_LONG(414, "The request target is too long", "Send a shorter one. Nothing was run."),
    HEADER_TOO_LARGE(431, "The header is too large", "Send less of it. Nothing was run."),
    INTERNAL(500, "The gateway failed", "Its log says how. Retry with the same key."),
    NOT_IMPLEMENTED(501, "This transfer coding is not understood", "Send the body plain or chunked. Nothing was run."),
    UPSTREAM_UNREACHABLE(
            502, "The service cannot be reached", "It was not asked, so nothing was run. Retry with the same key."),
    UPSTREAM_FAILED(
            502, "The service broke off", "The request had no key, so nobody knows whether it was carried out."),
    OVERLOADED(503, "The gateway has too much to do", "Nothing was run. Retry with the same key."),
    NOT_AUTHORIZED_NOW(
            503, "The right to the kept answer cannot be checked now", "Nothing was run. Retry with the same key."),
    UPSTREAM_SILENT(
            504,
            "The service did not answer in time",
            "The request had no key, so nobody knows whether it was carried out.");

    private final int status;
    private final String json;

    Refusal(int status, String title, String detail) {
        this.status = status;
        String type = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.json = """
                {"type":"urn:semel:problem:%s","title":"%s","status":%d,"detail":"%s"}""".formatted(type, title, status, detail);
    }

    /** For a request that was not sent, because of this. */
    static Refusal unreachable(Throwable cause) {
        return cause instanceof UpstreamLane.TooMany ? OVERLOADED : UPSTREAM_UNREACHABLE;
    }

    int status() {
        return status;
    }

    Answer answer() {
        Answer answer = Answer.of(status, json.getBytes(StandardCharsets.US_ASCII))
                .with("Content-Type", "application/problem+json")
                .with("Cache-Control", "no-store");
        boolean again =
                this == UPSTREAM_UNREACHABLE || this == OVERLOADED || this == NOT_AUTHORIZED_NOW || this == TOO_SLOW;
        if (this == UNAUTHENTICATED) {
            return answer.with("WWW-Authenticate", "Bearer");
        }
        return again ? answer.with("Retry-After", "1") : answer;
    }
}
