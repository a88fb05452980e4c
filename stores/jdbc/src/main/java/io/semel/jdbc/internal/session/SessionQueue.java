// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.session.SessionKey;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/** Bounds how many requests of one session wait in the database, each with its transaction's connection. */
public final class SessionQueue {

    private static final int MOST_WAITING = 2;

    private final ConcurrentMap<SessionKey, Integer> waiting = new ConcurrentHashMap<>();

    /** Empty, at once, if the maximum number of requests already waits for this session. */
    public <T> Optional<T> in(SessionKey session, Supplier<Optional<T>> wait) {
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
