// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * An interceptor around a request with a key, such as a transaction in which claim, effect and record commit together.
 *
 * <p>No byte reaches the client before {@link #run} has returned. What the handler throws goes through it and should leave it
 * as it came. If it throws by itself after the {@link Invocation} has returned, the answer is not sent: the client gets what a
 * further {@link Invocation#proceed} has found, or is told that the outcome is unknown and to retry. Requests within it cannot be
 * asynchronous.
 */
@FunctionalInterface
public interface Around {

    /**
     * Calls {@link Invocation#proceed}, in this thread, and obeys its verdict; in another transaction it may call it again. Before the first
     * it may ask {@link Invocation#isAnswered}, and return if so.
     */
    void run(HttpServletRequest request, Invocation invocation) throws IOException, ServletException;

    /** The request itself: asks the store, runs the handler if it is to be run, and settles. */
    interface Invocation {

        /**
         * Whether the request is answered without a run, as most retries are; then there is nothing to {@link #proceed}. To be asked
         * before a transaction is begun, and only where the store can be asked outside of one.
         */
        boolean isAnswered();

        /**
         * May be repeated in a new transaction, after one that lost against another or could not be committed. The handler
         * runs once at most: after it has run, this only looks for an answer that was recorded in the meantime, which is
         * then sent instead of the handler's.
         */
        Verdict proceed() throws IOException, ServletException;
    }

    /** The verdict on the transaction around a request. */
    enum Verdict {
        /** The answer was recorded, or a session has heard of its client: commit that, and the effect with it. */
        COMMIT,
        /** Nothing ran, or nothing is to be kept of it: roll back. */
        ROLL_BACK
    }
}
