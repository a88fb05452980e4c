// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Attempt;
import io.semel.Begun;
import io.semel.http.Answer.Header;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The decision about a request: pass it, refuse it, replay an answer, or run it. */
public sealed interface RequestDecision {

    /** Let it through unprotected. */
    record Pass(PassReason reason) implements RequestDecision {}

    /** Do not run it; send the problem. The cause, where there is one, is for the log and not for the client. */
    record Refuse(Problem problem, @Nullable Throwable cause) implements RequestDecision {}

    /** Do not run it; send this answer, stored or about a session, which is complete but for Date and Content-Length. */
    record Replay(Answer answer) implements RequestDecision {}

    /** Run it, and call exactly one of the endings, from any thread, before the first byte goes to the client. */
    final class Run implements RequestDecision {

        private final Begun.Started<Answer> started;
        private final RunCompletion ending;
        private final List<Header> headers;
        private final int largestKept;

        Run(Begun.Started<Answer> started, RunCompletion ending, List<Header> headers, int largestKept) {
            this.started = started;
            this.ending = ending;
            this.headers = headers;
            this.largestKept = largestKept;
        }

        /** The attempt, for the handler: key, fence and derived keys. */
        public Attempt attempt() {
            return started.attempt();
        }

        /** Headers to add to the answer when it is sent; they are not stored. */
        public List<Header> headers() {
            return headers;
        }

        /** The largest body, in bytes, that is kept; for a larger one see {@link #completeUnkept}. */
        public int largestKept() {
            return largestKept;
        }

        /**
         * The effect on the key of completing with this answer. Where the record commits with the effect, whatever is not
         * recorded has to be rolled back.
         */
        public StatusPolicy.Keep keep(Answer answer) {
            return ending.keep(answer);
        }

        /**
         * The handler has answered. Empty: send that answer. Otherwise send the problem, and nothing of the answer; where
         * the record commits with the effect, roll back.
         */
        public Optional<Problem> complete(Answer answer) {
            return ending.complete(answer);
        }

        /**
         * Many {@link #complete}s with one statement to the store. What each would have given is in its place; most are there
         * already, and what takes more than that one statement is done by {@code others}.
         */
        public static List<CompletableFuture<Optional<Problem>>> completeAll(
                List<Completing> completings, Executor others) {
            return BatchedRequests.complete(completings, others);
        }

        RunCompletion ending() {
            return ending;
        }

        /** The arguments of one {@link #complete}. */
        public record Completing(Run run, Answer answer) {}

        /**
         * As {@link #complete}, for an answer whose body was too large to hold, given without it: where it would be
         * recorded, retries are told that it was not kept.
         */
        public Optional<Problem> completeUnkept(Answer head) {
            return ending.completeUnkept(head);
        }

        /** The handler threw: the key is free again. Whatever goes wrong with that is suppressed into what was thrown. */
        public void fail(Throwable thrown) {
            ending.fail(thrown);
        }

        /** Nothing was done, for certain, such as when the handler could not be reached: the key is free again. */
        public void release() {
            ending.release();
        }

        /**
         * The handler got the request and never answered: nobody knows whether it happened, and a retry meets the
         * operation's policy for abandoned calls. Send the problem.
         */
        public Problem silent() {
            return silent("it did not answer");
        }

        /** {@link #silent()}, telling the engine's listener why. */
        public Problem silent(String why) {
            return ending.silent(why);
        }

        /** The problem to send where completing succeeded but the transaction around it did not commit, or may not have. */
        public Problem unconfirmed() {
            return ending.unconfirmed();
        }
    }

    /** Why a request passes. */
    enum PassReason {
        /** The method takes no part. */
        METHOD,
        /** There is no key, and none is required. */
        NO_KEY,
        /** Keys are not looked at here. */
        IGNORED,
        /** The store could not be reached, and the rules say to fail open: this run is unprotected. */
        STORE_UNAVAILABLE
    }
}
