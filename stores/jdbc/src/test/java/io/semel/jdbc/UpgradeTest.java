// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever changes the table waits for a long transaction, and nobody waits for them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class UpgradeTest {

    private static final int MOST_SECONDS = 5;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void trafficGoesOnWhileAnUpgradeWaitsForALongTransaction(Dialect dialect) throws Exception {
        try (HikariDataSource database = Pools.fresh(dialect, "upgraded_beside");
                Connection reading = database.getConnection()) {
            Layout1 old = Layout1.create(database, dialect);
            old.claim("first", "old");
            reading.setAutoCommit(false);
            Admin.number(reading, "SELECT COUNT(*) FROM semel_slot");

            Future<?> upgrade = threads.submit(() -> Schema.create(database));
            for (int i = 0; i < 3; i++) {
                awaitUpgrade(database, dialect);
                String id = "beside " + i;
                Future<?> traffic = threads.submit(() -> {
                    old.claim(id, "old");
                    return null;
                });
                traffic.get(MOST_SECONDS, TimeUnit.SECONDS);
            }
            assertThat(upgrade.isDone()).isFalse();
            reading.rollback();

            upgrade.get();
            assertThat(JdbcStore.on(database).count().held()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void anUpgradeThatWaitsInVainSaysWhyAndCanBeRunAgain(Dialect dialect) throws Exception {
        try (HikariDataSource database = Pools.fresh(dialect, "upgraded_in_vain");
                Connection reading = database.getConnection()) {
            Layout1 old = Layout1.create(database, dialect);
            old.claim("first", "old");
            reading.setAutoCommit(false);
            Admin.number(reading, "SELECT COUNT(*) FROM semel_slot");

            assertThatThrownBy(() -> Schema.create(database))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("another transaction has been using it all the while");
            reading.rollback();

            Schema.create(database);
            assertThat(JdbcStore.on(database).count().held()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void creatingWhatIsThereWaitsForNobody(Dialect dialect) throws Exception {
        try (HikariDataSource database = Pools.fresh(dialect, "created_again");
                Connection writing = database.getConnection()) {
            createAll(database);
            writing.setAutoCommit(false);
            for (String table : new String[] {"semel_slot", "semel_session", "semel_request", "semel_producer"}) {
                try (var statement = writing.createStatement()) {
                    statement.executeUpdate("DELETE FROM " + table);
                }
            }

            threads.submit(() -> createAll(database)).get(MOST_SECONDS, TimeUnit.SECONDS);
            writing.rollback();
        }
    }

    private static void createAll(HikariDataSource database) {
        Schema.create(database);
        Schema.createSessions(database);
        Schema.createProducers(database);
    }

    /** Until it waits for the lock of the table. */
    private static void awaitUpgrade(HikariDataSource database, Dialect dialect) throws SQLException {
        String waiting = dialect == Dialect.POSTGRESQL
                ? "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"
                : "SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE 'Waiting for table metadata lock%'";
        try (Connection connection = database.getConnection()) {
            while (Admin.number(connection, waiting) == 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
