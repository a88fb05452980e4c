// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.store.Purgeable;
import io.semel.store.Store;

/**
 * A {@link Store} of sessions: its keys are the requests of registered sessions, and it remembers each answer until the client
 * says that it has received it, instead of for a time.
 *
 * <p>The laws N1 to N10 are in {@code docs/laws.md}; the test kit's {@code SessionContract} tests them. Of the laws of a store, S1
 * to S4, S7 to S10 and S13 hold for every number. A call made by {@link SessionKey#call} also moves the client's mark and keeps its
 * session alive, in the same step that decides the claim; what the store refuses it says by {@link io.semel.store.Claim.Refused}.
 */
public interface SessionStore extends Store, Purgeable {

    /** {@link #register(Session, int)} without a bound on the sessions of one scope; whether the session lives now. */
    default boolean register(Session session) {
        return register(session, Integer.MAX_VALUE) == Registration.LIVE;
    }

    /**
     * Makes a session; for the same one again it changes nothing, so that it may be repeated when its answer was lost. Whoever
     * cannot rule out that a lost registration arrives after the session was closed, and makes it anew, registers another session
     * instead, as the HTTP door does.
     *
     * <p>Both bounds hold however many register at once, and no session that lives is given up for a new one (N9).
     *
     * @param mostOfScope how many sessions of this scope may live, so that one caller cannot take all that the store may hold
     */
    Registration register(Session session, int mostOfScope);

    /**
     * What the client says while it asks for nothing: it is there, and it has received all answers below this number.
     *
     * @param firstOutstanding 1 if it has received none
     */
    State keepAlive(SessionKey key, long firstOutstanding);

    /** Ends a session and forgets all of it (N10); false if there is none. */
    boolean close(SessionKey key);

    /** How many sessions and how many slots of requests are kept; read from indexes and counters. */
    Counts countSessions();

    /** What became of a registration. */
    enum Registration {
        /** The session lives, since now or since before. */
        LIVE,
        /** There are as many sessions as the store may hold. */
        STORE_FULL,
        /** There are as many sessions of this scope as there may be. */
        SCOPE_FULL,
        /** It was registered before and has expired; an expired session stays so. */
        EXPIRED
    }

    /** What is known of a session. */
    enum State {
        LIVE,
        EXPIRED,
        UNKNOWN
    }

    /**
     * What a store keeps.
     *
     * @param sessions how many live
     * @param requests how many of their requests are in flight or keep an answer
     * @param expired how many are remembered to have expired; zero where the backend forgets them by itself, as Redis does
     */
    record Counts(long sessions, long requests, long expired) {

        /** Where no expired session is remembered. */
        public Counts(long sessions, long requests) {
            this(sessions, requests, 0);
        }
    }
}
