// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt came to: what it says about the request, and whether another attempt may help.
 *
 * @param retryAfter how long the service asks to wait; null if it does not say
 */
record Verdict(
        Sign sign,
        boolean again,
        @Nullable Problem problem,
        @Nullable Duration retryAfter) {

    private static final int DEEPEST_CAUSE = 10;
    private static final int CONFLICT = 409;
    private static final int SERVER_ERRORS = 500;

    /** Answers about the moment that pass by themselves. */
    private static final Set<Integer> NOT_NOW = Set.of(408, 425, 429);

    /** Answers that a door never records, and those of a server that could not understand: silent about earlier attempts. */
    private static final Set<Integer> NOT_YOU = Set.of(401, 403, 407, 413, 501, 505);

    /** What an answer came to; a pure function. */
    static Verdict of(HttpResponse<byte[]> response, String problemBase) {
        if (isReplay(response)) {
            return new Verdict(Sign.ANSWER, false, null, null);
        }
        Duration retryAfter = RetryAfter.of(response.headers());
        String type = response.statusCode() < 400 ? null : ProblemType.of(response);
        Problem problem = type == null ? null : Problem.of(type, problemBase);
        if (problem != null) {
            boolean again = problem.passes() || (problem == Problem.OUTCOME_UNKNOWN && retryAfter != null);
            return new Verdict(problem.sign(), again, problem, retryAfter);
        }
        return byStatus(response.statusCode(), retryAfter);
    }

    private static Verdict byStatus(int status, @Nullable Duration retryAfter) {
        if (NOT_NOW.contains(status)) {
            return new Verdict(Sign.ASIDE, true, null, retryAfter);
        }
        if (NOT_YOU.contains(status)) {
            return new Verdict(Sign.ASIDE, false, null, null);
        }
        if (status >= SERVER_ERRORS || (status == CONFLICT && retryAfter != null)) {
            return new Verdict(Sign.MAYBE, true, null, retryAfter);
        }
        return new Verdict(Sign.ANSWER, false, null, null);
    }

    /** What a failure came to: only where no connection came about, or not one to trust, is it certain that nothing was sent. */
    static Verdict of(Throwable failure) {
        if (failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException) {
            return new Verdict(Sign.NOT_SENT, true, null, null);
        }
        if (isUntrusted(failure)) {
            return impossible();
        }
        return new Verdict(Sign.MAYBE, !(failure instanceof AnswerTooLarge), null, null);
    }

    /** Whether this side refused the service's certificate, which comes before the first byte of a request. */
    private static boolean isUntrusted(Throwable failure) {
        boolean certificate = false;
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            certificate |= cause instanceof CertificateException;
            cause = cause.getCause();
        }
        return certificate && failure instanceof SSLHandshakeException;
    }

    /** An attempt that could not even be begun, and never will be. */
    static Verdict impossible() {
        return new Verdict(Sign.NOT_SENT, false, null, null);
    }

    static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").orElse("").equals("true");
    }
}
