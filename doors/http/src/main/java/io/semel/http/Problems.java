// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.http.internal.body.BadBody;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The problems of a route; none repeats what a client sent, or what is stored but the words of a rejection. */
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
                "Send the header " + rules.keyHeaders.get(0)
                        + " with a key of your own: a new one for each request, and"
                        + " the same one for each retry. The request was not executed.");
    }

    Problem unsupported() {
        return of(
                Problem.Type.UNSUPPORTED,
                "This route does not support idempotency keys or sessions. The request was not executed; resend it"
                        + " without their headers to execute it unprotected.");
    }

    Problem bodyTooLarge() {
        return of(BadBody.tooLarge(rules.largestBody));
    }

    Problem futureDated() {
        return of(
                Problem.Type.FUTURE_DATED,
                "The key or the request is dated more than " + rules.skew.toSeconds() + " seconds in the future. The"
                        + " request was not executed. Correct the clock and send a new key.");
    }

    Problem storeUnavailable() {
        return of(Problem.Type.STORE_UNAVAILABLE, "The request was not executed. Retry it unchanged.", SOON);
    }

    Problem inProgress(Duration retryAfter) {
        return of(
                Problem.Type.IN_PROGRESS,
                "An earlier request with this key or number is still running. Retry unchanged to get its answer.",
                retryAfter);
    }

    Problem takenOver() {
        return of(
                Problem.Type.IN_PROGRESS,
                "Another request with this key or number has taken over. Retry unchanged to get its answer.",
                SOON);
    }

    /** For the attempt that ran; the store and the policy decide about a retry. */
    Problem unconfirmed() {
        return of(
                Problem.Type.OUTCOME_UNKNOWN,
                "The request was started and may have been executed, but its answer may not be recorded. Retry"
                        + " unchanged to find out.",
                SOON);
    }

    Problem unknown() {
        return of(
                Problem.Type.OUTCOME_UNKNOWN,
                "An earlier request with this key or number started and never answered. Retries are refused until an"
                        + " operator has determined the outcome; check the state of the resource.");
    }

    Problem unreadable() {
        return of(
                Problem.Type.RESULT_UNREADABLE,
                "The request was executed, and is not executed again. An operator can make its stored answer readable.");
    }

    /** The words of a rejection are the service's own answer to this request, and hold no secret. */
    Problem rejected(Rejection rejection) {
        return of(Problem.Type.REJECTED, rejection.code() + ": " + rejection.detail());
    }

    Problem notAcceptable() {
        return of(
                Problem.Type.CODING_NOT_ACCEPTABLE,
                "The request was executed, and is not executed again. Retry with the Accept-Encoding of the first"
                        + " request to get its answer.");
    }

    Problem noSessions() {
        return of(
                Problem.Type.UNSUPPORTED,
                "This route does not support sessions. The request was not executed; without " + HeaderNames.SESSION
                        + " it would be executed each time.");
    }

    Problem keyAndNumber() {
        return of(
                Problem.Type.MALFORMED_SESSION,
                "The request has both an idempotency key and a session number; send one of them. The request was not"
                        + " executed.");
    }

    Problem malformedNumber() {
        return of(
                Problem.Type.MALFORMED_SESSION,
                "The session id or the request number is not valid here. Send the id from the registration, and count"
                        + " from 1. The request was not executed.");
    }

    Problem sessionUnknown() {
        return of(
                Problem.Type.SESSION_UNKNOWN,
                "This caller never registered the session, or it was closed, or it expired long ago. The request was not"
                        + " executed now; earlier requests without an answer have an unknown outcome. Register a new"
                        + " session, and do not resend them in it.");
    }

    Problem sessionExpired() {
        return of(
                Problem.Type.SESSION_EXPIRED,
                "The client was silent for longer than the session's lease. The request was not executed now; earlier"
                        + " requests without an answer have an unknown outcome. Register a new session, and do not resend"
                        + " them in it.");
    }

    Problem tooManySessions() {
        return of(
                Problem.Type.TOO_MANY_SESSIONS,
                "No session was created. Close one of yours, or wait until an unused one has ended.",
                SOON);
    }

    Problem sessionsFull() {
        return of(
                Problem.Type.SESSIONS_FULL,
                "No session was created, because existing sessions are not evicted for new ones. Register later.",
                SOON);
    }

    private String comparedHeaders() {
        return rules.comparedHeaders.stream().map(name -> ", " + name).collect(Collectors.joining());
    }

    Problem refused(Outcome.Reason reason) {
        return switch (reason) {
            case MISMATCH ->
                of(
                        Problem.Type.KEY_REUSED,
                        "Method, path, query, media type" + comparedHeaders()
                                + " and body must equal those of the first"
                                + " request with this key or number. Send a different request under a new one.");
            case UNKNOWN -> unknown();
            case NOT_RETAINED ->
                of(
                        Problem.Type.RESULT_UNAVAILABLE,
                        "The request was executed, but its answer was not kept. It is not executed again; check the"
                                + " state of the resource.");
            case STALE ->
                of(
                        Problem.Type.SESSION_STALE,
                        "The client has acknowledged the answer to this number, or has given it up. The request is not"
                                + " executed now.");
            case SESSION_UNKNOWN -> sessionUnknown();
            case SESSION_EXPIRED -> sessionExpired();
            case OUT_OF_ORDER ->
                of(
                        Problem.Type.SESSION_OUT_OF_ORDER,
                        "The session requires order, and a smaller number has not completed. The request was not"
                                + " executed; send the smaller number first.");
            case WINDOW_FULL ->
                of(
                        Problem.Type.SESSION_WINDOW_FULL,
                        "The number is too far above the first outstanding one. The request was not executed; receive"
                                + " outstanding answers first.");
            case GONE ->
                of(
                        Problem.Type.GONE,
                        "A request with this key was executed, or may have been, too long ago for its answer to be kept."
                                + " It is not executed again; send a new key with a new request.");
        };
    }

    private Problem of(Problem.Type type, String detail, @Nullable Duration retryAfter) {
        int status = type == Problem.Type.KEY_REUSED ? rules.mismatchStatus : type.status();
        return new Problem(type, rules.problemBase + type.slug(), status, detail, retryAfter);
    }
}
