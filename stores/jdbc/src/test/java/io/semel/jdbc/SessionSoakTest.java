// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Fingerprint;
import io.semel.Retention;
import io.semel.session.Session;
import io.semel.session.SessionStore;
import io.semel.session.SessionStore.Counts;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions that are registered, work, fall silent and come again leave nothing behind. */
class SessionSoakTest {

    private static final int MOST = 50;
    private static final int ROUNDS = 20;
    private static final Duration LEASE = Duration.ofMinutes(30);

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void rowsComeBackToWhereTheyWere(Dialect dialect) throws SQLException {
        try (HikariDataSource pool = Pools.fresh(dialect, "soak_sessions")) {
            Schema.createSessions(pool);
            SessionStore store = JdbcSessions.on(pool, MOST);
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < MOST; i++) {
                    work(store, Session.of("caller " + i % 7).lease(LEASE), i);
                }
                assertThat(store.countSessions().sessions()).isEqualTo(MOST);
                assertThat(count(pool, "semel_session")).isLessThanOrEqualTo(2 * MOST);
                elapse(pool, LEASE.plusMinutes(5));
            }
            assertThat(store.countSessions().sessions()).isZero();

            int purged = store.purge(MOST / 2);
            assertThat(purged).isEqualTo(MOST / 2);
            store.purge(Integer.MAX_VALUE);
            assertThat(store.countSessions()).isEqualTo(new Counts(0, 0, MOST));
            elapse(pool, LEASE);
            assertThat(store.purge(Integer.MAX_VALUE)).isEqualTo(MOST);
            assertThat(store.countSessions()).isEqualTo(new Counts(0, 0));
            assertThat(count(pool, "semel_session")).isZero();
            assertThat(count(pool, "semel_request")).isZero();
            assertThat(count(pool, "semel_session_count WHERE live <> 0 OR ended <> 0"))
                    .isZero();
            assertThat(count(pool, "semel_session_count")).isLessThanOrEqualTo(8);
        }
    }

    /** Some close, some leave a request running, some release one; all have moved their mark. */
    private static void work(SessionStore store, Session session, int which) {
        assertThat(store.register(session)).isTrue();
        for (long number = 1; number <= 3; number++) {
            String holder = UUID.randomUUID().toString();
            Claim claim = store.claim(session.key().call(number, number, Fingerprint.of("asked")), holder, LEASE);
            long fence = ((Claim.Granted) claim).fence();
            Settlement settlement = which % 5 == 0
                    ? new Settlement.Release()
                    : new Settlement.Complete(new byte[] {1, 2}, Retention.DEFAULT);
            if (number < 3 || which % 3 > 0) {
                assertThat(store.settle(session.key().request(number), holder, fence, settlement))
                        .isTrue();
            }
        }
        if (which % 11 == 0) {
            assertThat(store.close(session.key())).isTrue();
            assertThat(store.register(Session.of("another").lease(LEASE))).isTrue();
        }
    }

    private static void elapse(HikariDataSource pool, Duration span) throws SQLException {
        long micros = span.toNanos() / 1000;
        execute(pool, "UPDATE semel_session SET look = look - " + micros + ", until = until - " + micros);
        execute(pool, "UPDATE semel_request SET until = until - " + micros);
    }

    private static long count(HikariDataSource pool, String table) throws SQLException {
        try (Connection connection = pool.getConnection();
                java.sql.Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                java.sql.Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
