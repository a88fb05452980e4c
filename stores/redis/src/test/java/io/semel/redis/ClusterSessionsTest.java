// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.session.Session;
import io.semel.session.SessionStore.Counts;
import io.semel.session.SessionStore.Registration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sessions on a cluster: each on one server, all of them on one roll. */
class ClusterSessionsTest {

    private static final int MOST = 40;

    @Test
    void sessionsAreKeptOnAllServersAndCountedOnOne() {
        try (Cluster cluster = new Cluster();
                RedisSessions sessions = RedisSessions.on(cluster.client(), RedisOptions.DEFAULT, MOST)) {
            var all = Stream.generate(() -> SessionTrial.registered(sessions))
                    .limit(MOST)
                    .toList();
            for (Session each : all) {
                SessionTrial.done(sessions, each, 1, 1);
                SessionTrial.done(sessions, each, 2, 2);
            }
            assertThat(all)
                    .allMatch(each -> SessionTrial.answer(sessions, each, 2).equals("done"));
            assertThat(cluster.masters())
                    .allSatisfy(server -> assertThat(server.<Long>ask(commands -> commands.dbsize()))
                            .isPositive());
            assertThat(sessions.countSessions()).isEqualTo(new Counts(MOST, MOST));

            assertThat(sessions.register(Session.of("one too many"))).isFalse();
            assertThat(sessions.list(SessionTrial.SCOPE, 100)).hasSize(MOST);
            assertThat(sessions.close(all.get(0).key())).isTrue();
            assertThat(sessions.register(Session.of(SessionTrial.SCOPE), MOST - 1))
                    .isEqualTo(Registration.SCOPE_FULL);
            SessionTrial.registered(sessions);
            cluster.masters().forEach(server -> server.elapse(SessionTrial.LEASE));
            SessionTrial.registered(sessions);
            assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 0));
        }
    }
}
