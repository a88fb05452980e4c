// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.session.SessionKey;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/** Bounds how many requests of one session wait in the database, each with the connection of its transaction. */
final class SessionQueue {

    private static final int MOST_WAITING = 2;

    private final ConcurrentMap<SessionKey, Integer> waiting = new ConcurrentHashMap<>();

    /** Empty, at once, where as many wait for this session as may. */
    <T> Optional<T> in(SessionKey session, Supplier<Optional<T>> wait) {
        if (waiting.merge(session, 1, Integer::sum) > MOST_WAITING) {
            leave(session);
            return Optional.empty();
        }
        try {
            return wait.get();
        } finally {
            leave(session);
        }
    }

    private void leave(SessionKey session) {
        waiting.computeIfPresent(session, (any, count) -> count == 1 ? null : count - 1);
    }
}
