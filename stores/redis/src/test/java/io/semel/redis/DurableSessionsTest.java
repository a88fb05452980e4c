// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Level;
import io.semel.Outcome.Reason;
import io.semel.session.Session;
import io.semel.session.SessionStore.Counts;
import io.semel.store.Claim;
import org.junit.jupiter.api.Test;

/** Where every write is synced, sessions, answers and marks survive a kill of the server together. */
class DurableSessionsTest {

    @Test
    void whatWasAcknowledgedSurvivesAKill() {
        try (Redis redis = Redis.with("--appendonly", "yes", "--appendfsync", "always")) {
            Session session;
            try (RedisSessions sessions = RedisSessions.on(redis.client(), RedisOptions.DEFAULT.durable(), 1)) {
                session = SessionTrial.registered(sessions);
                for (int number = 1; number <= 50; number++) {
                    SessionTrial.done(sessions, session, number, Math.max(1, number - 1));
                }
                redis.kill();
            }
            redis.start();
            try (RedisSessions sessions = RedisSessions.on(redis.client(), RedisOptions.DEFAULT.durable(), 1)) {
                assertThat(sessions.level()).isEqualTo(Level.LEASED);
                assertThat(SessionTrial.send(sessions, session, 48, 1)).isEqualTo(new Claim.Refused(Reason.STALE));
                assertThat(SessionTrial.answer(sessions, session, 49)).isEqualTo("done");
                assertThat(SessionTrial.answer(sessions, session, 50)).isEqualTo("done");
                assertThat(sessions.register(Session.of("another"))).isFalse();
                assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 2));
            }
        }
    }
}
