// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that a client did; never carries a body. */
public sealed interface ClientEvent {

    String key();

    /**
     * Another attempt follows after the pause.
     *
     * @param attempt the number of the one that has ended
     * @param status of its answer; 0 if it had none
     * @param failure null if it had an answer
     */
    record Retrying(
            String key, int attempt, int status, @Nullable Throwable failure, Duration pause) implements ClientEvent {}

    /** No further attempt follows. */
    record Ended(Result result) implements ClientEvent {

        @Override
        public String key() {
            return result.key();
        }
    }

    /**
     * The service does not know a session any more, though it was not closed here; what of it ended as unknown stays so.
     *
     * @param key the id of the session
     */
    record SessionLost(String key, ProblemType problem) implements ClientEvent {}

    /** The end of a call is known, but could not be written down; it will be sent again when the client resumes, and replayed. */
    record NotStruckOut(String key, Throwable failure) implements ClientEvent {}
}
