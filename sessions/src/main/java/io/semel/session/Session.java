// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import java.time.Duration;

/**
 * The terms of one session.
 *
 * @param window how many numbers, from the client's first outstanding one, may be in use at once; as many answers are kept at most
 * @param lease how long a silent client is believed to be there
 */
public record Session(SessionKey key, Mode mode, int window, Duration lease) {

    public static final int MOST_WINDOW = 10_000;
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);
    private static final Duration LONGEST_LEASE = Duration.ofDays(365);

    public Session {
        if (window < 1 || window > MOST_WINDOW) {
            throw new IllegalArgumentException("A window has 1 to " + MOST_WINDOW + " numbers, not " + window + ".");
        }
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("The lease of a session is from " + SHORTEST_LEASE + " to "
                    + LONGEST_LEASE + ", not " + lease + ".");
        }
    }

    /** A session of a client in this scope, under a random id: numbers in any order, 64 at once, a lease of a minute. */
    public static Session of(String scope) {
        return new Session(SessionKey.random(scope), Mode.SET, 64, Duration.ofMinutes(1));
    }

    public Session mode(Mode other) {
        return new Session(key, other, window, lease);
    }

    public Session window(int other) {
        return new Session(key, mode, other, lease);
    }

    public Session lease(Duration other) {
        return new Session(key, mode, window, other);
    }

    /** Whether numbers may overtake each other. */
    public enum Mode {
        /** They may be done in any order, several at once. */
        SET,
        /** Each is done only after all smaller ones. */
        STRICT
    }
}
