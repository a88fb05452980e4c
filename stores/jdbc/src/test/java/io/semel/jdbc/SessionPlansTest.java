// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.session.SessionStore.Counts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing that watches or purges many sessions or producers reads all of them. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SessionPlansTest {

    private static final int SESSIONS = 60_000;
    private static final int EACH = 5;

    @Test
    void sessionsAreCountedAndPurgedByIndexes() throws SQLException {
        try (HikariDataSource database = Pools.fresh(Dialect.POSTGRESQL, "session_plans")) {
            Schema.createSessions(database);
            Admin admin = Admin.of(database);
            admin.execute("""
                    INSERT INTO semel_session (id, ordered, span, lease, mark, fences, until, expired, look, shard, scope, name)
                    SELECT md5(n::text)::uuid, 0, 10, 60000000, 1, 1, 4000000000000000, 0, 4000000000000000, 0, 'shop', n::text::bytea
                    FROM generate_series(1, $sessions) n
                    """.replace("$sessions", "" + SESSIONS));
            admin.execute("""
                    INSERT INTO semel_request (session, number, print, fence, abandoned, until, result)
                    SELECT id, n, id, 1, 0, 0, CASE WHEN n > 0 THEN 'x'::bytea END FROM semel_session, generate_series(0, $each) n
                    """.replace("$each", "" + EACH));
            admin.execute(
                    "INSERT INTO semel_session_count (id, live, ended) VALUES ('00000000-0000-0000-0000-000000000000', $n, 0)"
                            .replace("$n", "" + SESSIONS));
            admin.execute("VACUUM ANALYZE semel_session, semel_request, semel_session_count");
            Explained explained = new Explained(database, Dialect.POSTGRESQL);
            JdbcSessions sessions = JdbcSessions.on(explained.source(), SESSIONS);

            Counts counts = sessions.countSessions();
            sessions.purge(100);

            assertThat(counts.sessions()).isEqualTo(SESSIONS);
            assertThat((double) counts.requests()).isCloseTo(SESSIONS * EACH, within(SESSIONS * EACH * 0.04));
            assertIndexed(explained, "semel_session ", "semel_request ");
        }
    }

    @Test
    void idleProducersAreFoundByAnIndex() throws SQLException {
        try (HikariDataSource database = Pools.fresh(Dialect.POSTGRESQL, "producer_plans")) {
            Schema.createProducers(database);
            Admin admin = Admin.of(database);
            admin.execute("""
                    INSERT INTO semel_producer (id, epoch, advanced, used)
                    SELECT n, 0, 0, CASE WHEN n > 10 THEN 4000000000000000 ELSE 1 END FROM generate_series(1, $sessions) n
                    """.replace("$sessions", "" + SESSIONS));
            admin.execute("VACUUM ANALYZE semel_producer, semel_producer_stream");
            Explained explained = new Explained(database, Dialect.POSTGRESQL);

            assertThat(JdbcProducers.on(explained.source()).purge(Duration.ofDays(1), 100))
                    .isEqualTo(10);

            assertIndexed(explained, "semel_producer ");
        }
    }

    private static void assertIndexed(Explained explained, String... tables) {
        List<Explained.Plan> plans = explained.plans();
        assertThat(plans).isNotEmpty();
        for (Explained.Plan plan : plans) {
            for (String table : tables) {
                assertThat(plan.text()).as(plan.sql()).doesNotContain("Seq Scan on " + table);
            }
        }
    }
}
