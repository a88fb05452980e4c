// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** The knowledge about a request when the client stops sending it. */
public sealed interface Result {

    /** The key under which it was sent. */
    String key();

    /** The number of attempts to send it. */
    int attempts();

    /** Whether the service carried it out. */
    CarriedOut carriedOut();

    /** Whether the service carried a request out, as far as the client knows. */
    enum CarriedOut {
        /** It did. What it made of it, a success or a "no", is in its answer, if that can be had. */
        YES,
        /** It did not, for certain: another request may be sent in place of this one. */
        NO,
        /** The client does not know: only the same key may be sent again. */
        UNKNOWN
    }

    /**
     * The service's own answer, whatever its status.
     *
     * @param replayed whether the service says that it had been given before, to an earlier attempt
     * @param carriedOut NO where the answer is about the caller or the moment, such as 401 or 429, and no attempt can have been run
     */
    record Answered(String key, int attempts, HttpResponse<byte[]> response, boolean replayed, CarriedOut carriedOut)
            implements Result {}

    /** The service's door refused it: nothing was carried out, or it was, but its answer cannot be had. */
    record Refused(String key, int attempts, HttpResponse<byte[]> response, ProblemType problem) implements Result {

        @Override
        public CarriedOut carriedOut() {
            return problem.evidence() == Transport.Evidence.CARRIED_OUT ? CarriedOut.YES : CarriedOut.NO;
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
            StopReason stop,
            @Nullable Throwable failure,
            @Nullable HttpResponse<byte[]> response)
            implements Result {

        @Override
        public CarriedOut carriedOut() {
            return CarriedOut.UNKNOWN;
        }
    }

    /**
     * Nothing has left this machine.
     *
     * @param failure why; null if the caller stopped it before the first attempt
     */
    record NotSent(
            String key,
            int attempts,
            StopReason stop,
            @Nullable Throwable failure) implements Result {

        @Override
        public CarriedOut carriedOut() {
            return CarriedOut.NO;
        }
    }
}
