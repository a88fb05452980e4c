// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Fingerprint;
import io.semel.Retention;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.session.SessionStore.Counts;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Ten thousand sessions that are registered, work, fall silent and are noticed to have expired. */
class SessionSoakTest {

    private static final int SESSIONS = 10_000;
    private static final int MOST = 100;
    private static final Duration LEASE = Duration.ofMillis(50);

    @Test
    void whatIsKeptComesBackToWhereItWas() {
        ManualTime time = new ManualTime();
        MemorySessions store = new MemorySessions(MOST, time);
        for (int i = 0; i < SESSIONS; i++) {
            Session session = Session.of("caller " + i % 13).lease(LEASE);
            assertThat(store.register(session)).isTrue();
            work(store, session);
            if (i % 2 == 0) {
                time.pause(LEASE);
                assertThat(store.keepAlive(session.key(), 1)).isEqualTo(State.EXPIRED);
            }
            Counts counts = store.countSessions();
            assertThat(counts.sessions()).isLessThanOrEqualTo(MOST);
            assertThat(counts.expired()).isLessThanOrEqualTo(MOST);
        }
        assertThat(store.snapshot()).hasSizeLessThan(SESSIONS);

        time.pause(Duration.ofMinutes(2));
        assertThat(store.purge(3)).isEqualTo(3);
        store.purge(Integer.MAX_VALUE);
        assertThat(store.countSessions()).isEqualTo(new Counts(0, 0));
        assertThat(store.snapshot()).isEqualTo(new MemorySessions(MOST, time).snapshot());
    }

    private static void work(MemorySessions store, Session session) {
        for (long number = 1; number <= 2; number++) {
            Claim claim = store.claim(session.key().call(number, number, Fingerprint.none()), "holder", LEASE);
            Settlement done = new Settlement.Complete(new byte[] {1, 2}, Retention.DEFAULT);
            assertThat(store.settle(session.key().request(number), "holder", ((Claim.Granted) claim).fence(), done))
                    .isTrue();
        }
    }
}
