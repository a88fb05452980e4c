// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Fingerprint;
import io.semel.Outcome.Reason;
import io.semel.Retention;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A client with a registered session, and the server that carries its requests out. */
record Client(SessionStore store, Session session, ConcurrentMap<String, Long> fences) {

    static Client of(SessionStore store, Session session) {
        assertTrue(store.register(session), "there is room for a session");
        return new Client(store, session, new ConcurrentHashMap<>());
    }

    /** The same client, at another server. */
    Client at(SessionStore other) {
        return new Client(other, session, fences);
    }

    SessionKey key() {
        return session.key();
    }

    /** By a holder that no other claim uses. */
    Claim send(long number, long firstOutstanding) {
        return claim(number, firstOutstanding, UUID.randomUUID().toString());
    }

    Claim send(long number, long firstOutstanding, Duration lease) {
        return store.claim(
                key().call(number, firstOutstanding, asked(number)),
                UUID.randomUUID().toString(),
                lease);
    }

    Claim claim(long number, long firstOutstanding, String holder) {
        return claim(number, firstOutstanding, holder, asked(number));
    }

    Claim claim(long number, long firstOutstanding, String holder, Fingerprint asked) {
        Claim claim = store.claim(key().call(number, firstOutstanding, asked), holder, Backed.LEASE);
        if (claim instanceof Claim.Granted granted) {
            fences.put(number + holder, granted.fence());
        }
        return claim;
    }

    Claim.Granted granted(long number, long firstOutstanding, String holder) {
        return assertInstanceOf(Claim.Granted.class, claim(number, firstOutstanding, holder));
    }

    void refused(Reason reason, long number, long firstOutstanding) {
        Claim claim = send(number, firstOutstanding);
        assertEquals(reason, assertInstanceOf(Claim.Refused.class, claim).reason());
    }

    boolean settle(long number, String holder, Settlement settlement) {
        return store.settle(key().request(number), holder, fences.getOrDefault(number + holder, 1L), settlement);
    }

    boolean complete(long number, String holder) {
        return settle(number, holder, new Settlement.Complete(answer(number), Retention.DEFAULT));
    }

    /** Sends a number and carries it out. */
    void done(long number, long firstOutstanding) {
        String holder = UUID.randomUUID().toString();
        granted(number, firstOutstanding, holder);
        assertTrue(complete(number, holder), "a holder may complete");
    }

    /** Sends a number again and expects its own answer. */
    void replayed(long number, long firstOutstanding) {
        Claim.Settled settled = assertInstanceOf(Claim.Settled.class, send(number, firstOutstanding));
        assertEquals(asked(number), settled.fingerprint());
        assertArrayEquals(answer(number), settled.result());
    }

    static Fingerprint asked(long number) {
        return Fingerprint.of("request", Long.toString(number));
    }

    static byte[] answer(long number) {
        return ("\u0001answer to " + number).getBytes(StandardCharsets.UTF_8);
    }
}
