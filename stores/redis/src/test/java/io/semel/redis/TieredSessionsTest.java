// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Key;
import io.semel.jdbc.JdbcSessions;
import io.semel.jdbc.JdbcStore;
import io.semel.jdbc.Schema;
import io.semel.layered.CachedStore;
import io.semel.session.Session;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Redis in front of PostgreSQL keeps answers to keys; sessions are in PostgreSQL alone, and do not depend on Redis. */
class TieredSessionsTest {

    @Test
    void sessionsGoToTheSystemOfRecordAndKeysThroughRedis() {
        try (Redis redis = Redis.with();
                HikariDataSource pool = Postgres.newDatabase("tiered_sessions");
                RedisAnswers answers =
                        RedisAnswers.on(redis.client(), RedisOptions.DEFAULT.withTimeout(Duration.ofSeconds(5)))) {
            Schema.createSessions(pool);
            JdbcStore postgres = JdbcStore.on(pool);
            CachedStore keys = CachedStore.over(postgres, answers);
            SessionStore sessions = JdbcSessions.on(pool, 10);
            assertThat(keys.systemOfRecord()).isSameAs(postgres);

            Session session = SessionTrial.registered(sessions);
            SessionTrial.done(sessions, session, 1, 1);
            assertThat(SessionTrial.answer(sessions, session, 1)).isEqualTo("done");
            assertThat(redis.<Long>ask(commands -> commands.dbsize()))
                    .as("nothing of a session is in Redis")
                    .isZero();

            Key key = Trial.done(keys);
            assertThat(Trial.answer(keys, key)).isEqualTo("done");
            assertThat(redis.<Long>ask(commands -> commands.dbsize())).isOne();

            redis.kill();
            SessionTrial.done(sessions, session, 2, 2);
            assertThat(SessionTrial.answer(sessions, session, 2)).isEqualTo("done");
            assertThat(SessionTrial.send(sessions, session, 1, 1))
                    .as("what the client has received is forgotten at once, whatever Redis kept")
                    .isInstanceOf(Claim.Refused.class);
            assertThat(Trial.answer(keys, key)).isEqualTo("done");
        }
    }
}
