// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How attempts reach a service, and what it means when they end: by the JDK's {@code HttpClient}, unless another door brings its own.
 * Everything else, numbers, retries, budgets and journals, is the client's and knows no protocol.
 */
public interface Transport {

    /**
     * Sends one attempt. The future fails if no answer came, and cancelling it gives the attempt up.
     *
     * @param request what the intent comes to: with the headers of its key or number, and perhaps to where it was redirected
     * @param largestAnswer how many bytes an answer may have; a larger one is a failure
     */
    CompletableFuture<HttpResponse<byte[]>> send(Intent intent, HttpRequest request, int largestAnswer);

    /** What an answer came to. */
    Verdict judge(HttpResponse<byte[]> response);

    /** What it came to that there was no answer. */
    Verdict judge(Throwable failure);

    /** Where calls go on after a pause; empty for threads of the client's own. */
    default Optional<Executor> executor() {
        return Optional.empty();
    }

    /**
     * What one attempt came to.
     *
     * @param again whether another attempt may help
     * @param problem what the service's door has said; null if it was not the door that spoke
     * @param retryAfter how long the service asks to wait; null if it does not say
     */
    record Verdict(
            Evidence evidence,
            boolean again,
            @Nullable ProblemType problem,
            @Nullable Duration retryAfter) {

        public static Verdict of(Evidence evidence, boolean again) {
            return new Verdict(evidence, again, null, null);
        }

        /** What a problem says by itself, of a service that does not say when to come again. */
        public static Verdict of(ProblemType problem) {
            return new Verdict(problem.evidence(), problem.passes(), problem, null);
        }
    }

    /** What the end of one attempt says about whether the request was carried out. */
    enum Evidence {
        /** No connection came about, so nothing left this machine. */
        NOT_SENT,
        /** The service says that this attempt was not run. */
        NOT_RUN,
        /** An answer about the moment and not about the request, such as 401 or 429; it is silent about earlier attempts. */
        ASIDE,
        /** It may have been run, or may still be. */
        MAYBE,
        /** It was run, but the answer cannot be had. */
        CARRIED_OUT,
        /** The service's own answer. */
        ANSWER
    }
}
