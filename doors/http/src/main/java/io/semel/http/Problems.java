// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.http.internal.body.BadBody;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What clients are told; nothing that they sent is repeated to them, and nothing that is stored but the words of a rejection. */
final class Problems {

    private static final Duration SOON = Duration.ofSeconds(1);

    private final HttpRules rules;

    Problems(HttpRules rules) {
        this.rules = rules;
    }

    Problem of(Problem.Type type, String detail) {
        return of(type, detail, null);
    }

    Problem of(BadBody bad) {
        return of(bad.isTooLarge() ? Problem.Type.BODY_TOO_LARGE : Problem.Type.UNREADABLE_BODY, bad.detail());
    }

    Problem missingKey() {
        return of(
                Problem.Type.MISSING_KEY,
                "Send the header " + rules.keyHeaders.get(0) + " with a key of your own, new for each"
                        + " request and the same for each retry of it. Nothing was run.");
    }

    Problem unsupported() {
        return of(
                Problem.Type.UNSUPPORTED,
                "Retries are not told from new requests here. Nothing was run; without the key it would be.");
    }

    Problem bodyTooLarge() {
        return of(BadBody.tooLarge(rules.largestBody));
    }

    Problem futureDated() {
        return of(
                Problem.Type.FUTURE_DATED,
                "By its own date the key, or the request, comes from more than " + rules.skew.toSeconds()
                        + " seconds ahead. Set the clock and send a new key. Nothing was run.");
    }

    Problem storeUnavailable() {
        return of(Problem.Type.STORE_UNAVAILABLE, "Nothing was run. Retry unchanged.", SOON);
    }

    Problem inProgress(Duration retryAfter) {
        return of(
                Problem.Type.IN_PROGRESS,
                "An earlier request with this key or number is being carried out. Retry unchanged to get its answer.",
                retryAfter);
    }

    Problem takenOver() {
        return of(
                Problem.Type.IN_PROGRESS,
                "Another request with this key or number has taken over. Retry unchanged to get its answer.",
                SOON);
    }

    /** For the attempt that ran: what becomes of a retry is for the store and the policy to say. */
    Problem unconfirmed() {
        return of(
                Problem.Type.OUTCOME_UNKNOWN,
                "The request was carried out or begun, but nothing is known to be recorded of it."
                        + " Retry unchanged to learn more.",
                SOON);
    }

    Problem unknown() {
        return of(
                Problem.Type.OUTCOME_UNKNOWN,
                "An earlier request with this key or number was begun and never answered. It is refused until"
                        + " somebody has found out; ask for the state of what it was to change.");
    }

    Problem unreadable() {
        return of(
                Problem.Type.RESULT_UNREADABLE,
                "It is not carried out again. The operators of this service can make its answer readable.");
    }

    /** Its words are the service's own answer to this request, and hold no secret. */
    Problem rejected(Rejection rejection) {
        return of(Problem.Type.REJECTED, rejection.code() + ": " + rejection.detail());
    }

    Problem notAcceptable() {
        return of(
                Problem.Type.CODING_NOT_ACCEPTABLE,
                "It is not carried out again. Retry with the Accept-Encoding of the first request.");
    }

    Problem noSessions() {
        return of(
                Problem.Type.UNSUPPORTED,
                "There are no sessions here. Nothing was run; without " + HeaderNames.SESSION
                        + " it would be, each time.");
    }

    Problem keyAndNumber() {
        return of(
                Problem.Type.MALFORMED_SESSION,
                "The request has both a key and a number in a session; send one of them. Nothing was run.");
    }

    Problem malformedNumber() {
        return of(
                Problem.Type.MALFORMED_SESSION,
                "The id or the number is not one that sessions have here. Send the id that was given at registration,"
                        + " and count from 1. Nothing was run.");
    }

    Problem sessionUnknown() {
        return of(
                Problem.Type.SESSION_UNKNOWN,
                "It was never registered by you, or was closed, or ended long ago. Nothing was run now; what was sent before"
                        + " without an answer has an unknown outcome. Register, and do not send that again.");
    }

    Problem sessionExpired() {
        return of(
                Problem.Type.SESSION_EXPIRED,
                "You were silent for longer than its lease. Nothing was run now; what was sent before without an answer"
                        + " has an unknown outcome. Register, and do not send that again.");
    }

    Problem tooManySessions() {
        return of(
                Problem.Type.TOO_MANY_SESSIONS,
                "No session was made; close one of yours, or wait until one that is not used any more has ended.",
                SOON);
    }

    Problem sessionsFull() {
        return of(Problem.Type.SESSIONS_FULL, "No session was made, and none is given up for a new one.", SOON);
    }

    private String comparedHeaders() {
        return rules.comparedHeaders.stream().map(name -> ", " + name).collect(Collectors.joining());
    }

    Problem refused(Outcome.Reason reason) {
        return switch (reason) {
            case MISMATCH ->
                of(
                        Problem.Type.KEY_REUSED,
                        "Method, path, query, media type" + comparedHeaders() + " and body must be those of the first"
                                + " request with this key or number. Send a new one with a new request.");
            case UNKNOWN -> unknown();
            case NOT_RETAINED ->
                of(
                        Problem.Type.RESULT_UNAVAILABLE,
                        "It is not carried out again; ask for the state of what it has changed.");
            case STALE ->
                of(
                        Problem.Type.SESSION_STALE,
                        "You have said before that you received the answer to this number, or do not wait for it."
                                + " It is not carried out now.");
            case SESSION_UNKNOWN -> sessionUnknown();
            case SESSION_EXPIRED -> sessionExpired();
            case OUT_OF_ORDER ->
                of(
                        Problem.Type.SESSION_OUT_OF_ORDER,
                        "The session demands order, and a smaller number is not done. Nothing was run; send that one first.");
            case WINDOW_FULL ->
                of(
                        Problem.Type.SESSION_WINDOW_FULL,
                        "The number is too far above the first outstanding one. Nothing was run; receive answers first.");
            case GONE ->
                of(
                        Problem.Type.GONE,
                        "A request with this key was carried out, or may have been, too long ago to"
                                + " say how it was answered. It is not carried out again; send a new key with a new request.");
        };
    }

    private Problem of(Problem.Type type, String detail, @Nullable Duration retryAfter) {
        int status = type == Problem.Type.KEY_REUSED ? rules.mismatchStatus : type.status();
        return new Problem(type, rules.problemBase + type.slug(), status, detail, retryAfter);
    }
}
