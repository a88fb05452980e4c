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
 * Sends attempts and judges how they end: over the JDK's {@code HttpClient}, unless another module brings its own. Numbers, retries,
 * budgets and journals are the client's and know no protocol.
 */
public interface Transport {

    /**
     * Sends one attempt. The future fails if no answer came, and cancelling it gives the attempt up.
     *
     * @param request what the intent comes to: with the headers of its key or number, and perhaps to where it was redirected
     * @param largestAnswer how many bytes an answer may have; a larger one is a failure
     */
    CompletableFuture<HttpResponse<byte[]>> send(Intent intent, HttpRequest request, int largestAnswer);

    /** Judges an answer. */
    Verdict judge(HttpResponse<byte[]> response);

    /** Judges a failure to get an answer. */
    Verdict judge(Throwable failure);

    /** The executor on which calls go on after a pause; empty for threads of the client's own. */
    default Optional<Executor> executor() {
        return Optional.empty();
    }

    /**
     * The judgement of one attempt.
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

        /** The verdict on a problem without {@code Retry-After}. */
        public static Verdict of(ProblemType problem) {
            return new Verdict(problem.evidence(), problem.passes(), problem, null);
        }
    }

    /** The evidence that the end of one attempt gives about whether the request was carried out. */
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
