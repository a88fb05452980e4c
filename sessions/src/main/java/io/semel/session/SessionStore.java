// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Purgeable;
import io.semel.Store;

/**
 * A {@link Store} of sessions: its keys are the requests of registered sessions, and it remembers each answer until the client
 * says that it has received it, instead of for a time.
 *
 * <p>The laws N1 to N10 are in {@code docs/laws.md}; the test kit's {@code SessionContract} tests them. Of the laws of a store, S1
 * to S4, S7 to S10 and S13 hold for every number. A call made by {@link SessionKey#call} also moves the client's mark and keeps its
 * session alive, in the same step that decides the claim; what the store refuses it says by {@link io.semel.Claim.Refused}.
 */
public interface SessionStore extends Store, Purgeable {

    /**
     * Makes a session; for the same one again it changes nothing, so that it may be repeated when its answer was lost. Whoever
     * cannot rule out that a lost registration arrives after the session was closed, and makes it anew, registers another session
     * instead, as the HTTP door does.
     *
     * @return false if there are as many sessions as the store may hold; none of them is given up for a new one (N9)
     */
    boolean register(Session session);

    /**
     * What the client says while it asks for nothing: it is there, and it has received all answers below this number.
     *
     * @param firstOutstanding 1 if it has received none
     */
    State keepAlive(SessionKey key, long firstOutstanding);

    /** Ends a session and forgets all of it (N10); false if there is none. */
    boolean close(SessionKey key);

    /** How many sessions and how many slots of requests are kept. */
    Counts countSessions();

    /** What is known of a session. */
    enum State {
        LIVE,
        EXPIRED,
        UNKNOWN
    }

    /** How many sessions live, and how many of their requests are in flight or keep an answer. */
    record Counts(long sessions, long requests) {}
}
