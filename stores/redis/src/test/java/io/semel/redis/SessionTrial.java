// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.session.Session;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Short words for tests about one session. */
final class SessionTrial {

    static final Duration LEASE = Duration.ofHours(1);
    static final String SCOPE = "trial";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    static Session registered(SessionStore sessions) {
        Session session = Session.of(SCOPE).lease(LEASE);
        if (!sessions.register(session)) {
            throw new AssertionError("There is room for a session.");
        }
        return session;
    }

    static Claim claim(SessionStore sessions, Session session, long number, long first, String holder) {
        return sessions.claim(session.key().call(number, first, Trial.ASKED), holder, Trial.LEASE);
    }

    static Claim send(SessionStore sessions, Session session, long number, long first) {
        return claim(sessions, session, number, first, "holder-" + NUMBERS.incrementAndGet());
    }

    static long granted(SessionStore sessions, Session session, long number) {
        return ((Claim.Granted) claim(sessions, session, number, 1, "holder")).fence();
    }

    static boolean complete(SessionStore sessions, Session session, long number, long fence) {
        return sessions.settle(session.key().request(number), "holder", fence, Trial.DONE);
    }

    /** Claims and completes. */
    static void done(SessionStore sessions, Session session, long number, long first) {
        Claim claim = claim(sessions, session, number, first, "holder");
        if (!complete(sessions, session, number, ((Claim.Granted) claim).fence())) {
            throw new AssertionError("A holder may complete.");
        }
    }

    static String answer(SessionStore sessions, Session session, long number) {
        Claim claim = send(sessions, session, number, 1);
        byte[] result = claim instanceof Claim.Settled settled ? settled.result() : null;
        return result == null ? claim.toString() : new String(result, StandardCharsets.UTF_8);
    }

    private SessionTrial() {}
}
