// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.LeaseLost;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.session.Session;
import io.semel.session.SessionStore;
import java.time.Duration;
import java.util.Random;

/** Clients that register, send numbered requests, most of them twice, and close their session or fall silent. */
final class SessionTraffic implements Soak.Traffic {

    private static final Duration LEASE = Duration.ofMillis(300);
    private static final Fingerprint ASKED = Fingerprint.of("asked");

    private final SessionStore store;
    private final Engine engine;
    private final CountedTime time = new CountedTime();

    SessionTraffic(SessionStore store) {
        this.store = store;
        this.engine = Engine.on(store, time)
                .with(Operation.named("soak").lease(KeyTraffic.LEASE).waitWhenBusy(Duration.ofSeconds(20)));
    }

    Soak soak(String name) {
        return Soak.of(name)
                .threads(16, this)
                .count("timers above four", () -> Math.max(4, time.mostTimers()))
                .count("sessions", () -> store.countSessions().sessions())
                .count("requests", () -> store.countSessions().requests())
                .untilAtRest(this::isEmpty);
    }

    @Override
    public void once(Random random) throws Exception {
        Session session =
                Session.of("client-" + random.nextInt(100)).lease(LEASE).window(8);
        if (store.register(session, 1000) != SessionStore.Registration.LIVE) {
            store.purge(100);
            return;
        }
        for (int number = 1; number <= 10; number++) {
            request(session, number);
            if (random.nextBoolean()) {
                request(session, number);
            }
        }
        if (random.nextInt(4) > 0) {
            store.close(session.key());
        }
    }

    private void request(Session session, long number) {
        try {
            Outcome<String> outcome =
                    engine.run(session.key().call(number, number, ASKED), Codec.utf8(), attempt -> "done " + number);
            if (outcome instanceof Outcome.Done<String> done) {
                assertEquals("done " + number, done.value());
            }
        } catch (LeaseLost tooSlow) {
            assertTrue(tooSlow.getMessage().contains(session.key().id()));
        }
    }

    private boolean isEmpty() {
        int purged;
        do {
            purged = store.purge(1000);
        } while (purged > 0);
        return store.countSessions().sessions() == 0 && store.countSessions().requests() == 0;
    }
}
