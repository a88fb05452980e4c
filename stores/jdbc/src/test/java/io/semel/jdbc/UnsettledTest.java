// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Retention;
import io.semel.jdbc.internal.joined.OpenAttempts;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers of a joined store that roll back and never say so. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class UnsettledTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Settlement DONE = new Settlement.Complete(new byte[] {1, 0}, Retention.DEFAULT);

    private final AtomicReference<Connection> current = new AtomicReference<>();
    private HikariDataSource database;
    private JoinedStore store;

    @BeforeEach
    void open() {
        database = Pools.fresh(
                Dialect.H2, "unsettled_" + UUID.randomUUID().toString().replace('-', '_'));
        Schema.create(database);
        store = JoinedStore.on(current::get, Dialect.H2);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void whatTheyLeaveGoesWithTheirConnections() throws SQLException {
        for (int i = 0; i < 5_000; i++) {
            try (Connection connection = begin()) {
                claim(Till.newCall(), "holder" + i, LEASE);
                connection.rollback();
            }
        }

        assertThat(store.unsettled()).isLessThanOrEqualTo(501);
    }

    @Test
    void whatTheyLeaveOnAConnectionThatStaysOpenIsBounded() throws SQLException {
        try (Connection connection = begin()) {
            for (int i = 0; i < 2 * OpenAttempts.MOST; i++) {
                claim(Till.newCall(), "holder" + i, LEASE);
                connection.rollback();
            }
            assertThat(store.unsettled()).isLessThanOrEqualTo(OpenAttempts.MOST);

            Call latest = Till.newCall();
            long fence = claim(latest, "latest", LEASE);
            assertThat(store.settle(latest.key(), "latest", fence, DONE)).isTrue();
            connection.commit();
        }
    }

    @Test
    void ofOneKeyOnlyTheLastAttemptIsRemembered() throws SQLException {
        Call call = Till.newCall();
        try (Connection connection = begin()) {
            for (int i = 0; i < 10; i++) {
                claim(call, "holder" + i, LEASE);
                connection.rollback();
            }
        }

        assertThat(store.unsettled()).isEqualTo(1);
    }

    @Test
    void whoWasRolledBackOnAConnectionThatStaysOpenKeepsNobodyOffForLongerThanItsLease() throws SQLException {
        Call call = Till.newCall();
        try (Connection connection = begin()) {
            claim(call, "rolled back", Duration.ofMillis(100));
            connection.rollback();
            try (Connection other = begin()) {
                Claim claim = store.claim(call, "other", LEASE);
                while (claim instanceof Claim.Held) {
                    assertThat(Thread.interrupted()).as("this took too long").isFalse();
                    LockSupport.parkNanos(5_000_000);
                    claim = store.claim(call, "other", LEASE);
                }
                assertThat(claim).isInstanceOf(Claim.Granted.class);
                other.rollback();
            }
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        current.set(connection);
        return connection;
    }

    private long claim(Call call, String holder, Duration lease) {
        return ((Claim.Granted) store.claim(call, holder, lease)).fence();
    }
}
