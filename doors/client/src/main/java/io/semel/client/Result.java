// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** What is known of a request when the client stops sending it. */
public sealed interface Result {

    /** The key under which it was sent. */
    String key();

    /** How often it was sent, or tried to be. */
    int attempts();

    /** Whether it may have been carried out without its answer being known here. */
    default boolean mayHaveHappened() {
        return false;
    }

    /**
     * The service's own answer, whatever its status.
     *
     * @param replayed whether the service says that it had been given before, to an earlier attempt
     */
    record Answered(String key, int attempts, HttpResponse<byte[]> response, boolean replayed) implements Result {}

    /** The service's door refused it, and nothing was carried out; or it was, as {@link #carriedOut} says, but the answer cannot be had. */
    record Refused(String key, int attempts, HttpResponse<byte[]> response, Problem problem) implements Result {

        public boolean carriedOut() {
            return problem.sign() == Transport.Sign.CARRIED_OUT;
        }
    }

    /**
     * It may have been carried out. Sending it again with the same key does no harm; sending it with another may do it twice.
     *
     * @param failure what went wrong with the last attempt that had no answer; null if each had one
     * @param response the last answer that settled nothing; null if there was none
     */
    record Unknown(
            String key,
            int attempts,
            Stop stop,
            @Nullable Throwable failure,
            @Nullable HttpResponse<byte[]> response) implements Result {

        @Override
        public boolean mayHaveHappened() {
            return true;
        }
    }

    /**
     * Nothing has left this machine.
     *
     * @param failure why; null if the caller stopped it before the first attempt
     */
    record NotSent(
            String key, int attempts, Stop stop, @Nullable Throwable failure) implements Result {}
}
