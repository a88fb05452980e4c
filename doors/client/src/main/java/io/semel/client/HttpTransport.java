// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.internal.response.AnswerTooLarge;
import io.semel.client.internal.response.BoundedBody;
import io.semel.client.internal.response.ProblemDocument;
import io.semel.client.internal.response.RetryAfter;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Attempts over HTTP, judged by the problems of Semel's HTTP door and by their status.
 *
 * @param problemBase what the service puts before the names of problems
 */
record HttpTransport(HttpClient http, String problemBase) implements Transport {

    private static final int DEEPEST_CAUSE = 10;
    private static final int CONFLICT = 409;
    private static final int SERVER_ERRORS = 500;

    /** Answers about the moment that pass by themselves. */
    private static final Set<Integer> NOT_NOW = Set.of(408, 425, 429);

    /** Answers that a door never records, and those of a server that could not understand: silent about earlier attempts. */
    private static final Set<Integer> NOT_YOU = Set.of(401, 403, 407, 413, 501, 505);

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(Intent intent, HttpRequest request, int largestAnswer) {
        return http.sendAsync(request, BoundedBody.upTo(largestAnswer));
    }

    @Override
    public Optional<Executor> executor() {
        return http.executor();
    }

    @Override
    public Verdict judge(HttpResponse<byte[]> response) {
        return judge(response, problemBase);
    }

    /** A pure function. */
    static Verdict judge(HttpResponse<byte[]> response, String problemBase) {
        if (CallState.isReplay(response)) {
            return Verdict.of(Evidence.ANSWER, false);
        }
        Duration retryAfter = RetryAfter.of(response.headers());
        String type = response.statusCode() < 400 ? null : ProblemDocument.of(response);
        ProblemType problem = type == null ? null : ProblemType.of(type, problemBase);
        if (problem != null) {
            boolean again = problem.passes() || (problem == ProblemType.OUTCOME_UNKNOWN && retryAfter != null);
            return new Verdict(problem.evidence(), again, problem, retryAfter);
        }
        return byStatus(response.statusCode(), retryAfter);
    }

    private static Verdict byStatus(int status, @Nullable Duration retryAfter) {
        if (NOT_NOW.contains(status)) {
            return new Verdict(Evidence.ASIDE, true, null, retryAfter);
        }
        if (NOT_YOU.contains(status)) {
            return Verdict.of(Evidence.ASIDE, false);
        }
        if (status >= SERVER_ERRORS || (status == CONFLICT && retryAfter != null)) {
            return new Verdict(Evidence.MAYBE, true, null, retryAfter);
        }
        return Verdict.of(Evidence.ANSWER, false);
    }

    /** Only where no connection came about, or not one to trust, is it certain that nothing was sent. */
    @Override
    public Verdict judge(Throwable failure) {
        if (failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException) {
            return Verdict.of(Evidence.NOT_SENT, true);
        }
        if (isUntrusted(failure)) {
            return Verdict.of(Evidence.NOT_SENT, false);
        }
        return Verdict.of(Evidence.MAYBE, !(failure instanceof AnswerTooLarge));
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
}
