// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Purging beside others who are at the same rows. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class PurgeTest {

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void purgingWaitsForNobody(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "purged");
                Connection other = database.getConnection()) {
            Schema.create(database);
            JdbcStore store = JdbcStore.on(database);
            Engine engine = Engine.on(store)
                    .with(Operation.named("charge").retention(Duration.ofMinutes(1), Duration.ofMinutes(1)));
            Call touched = Till.newCall();
            engine.run(touched, Till.UTF8, attempt -> "charged");
            engine.run(Till.newCall(), Till.UTF8, attempt -> "charged");

            Elapsing.elapse(database, Duration.ofMinutes(1));
            lock(other, dialect, touched.key());
            assertThat(store.purge(10))
                    .as("results of rows that nobody has locked")
                    .isEqualTo(1);
            other.rollback();
            assertThat(store.purge(10)).as("the result of the row that was").isEqualTo(1);

            Elapsing.elapse(database, Duration.ofMinutes(1));
            lock(other, dialect, touched.key());
            assertThat(store.purge(10)).as("rows that nobody has locked").isEqualTo(1);
            other.rollback();
            assertThat(store.purge(10)).as("the row that was").isEqualTo(1);
        }
    }

    private static void lock(Connection connection, Dialect dialect, Key key) throws SQLException {
        connection.setAutoCommit(false);
        try (var lock = connection.prepareStatement("SELECT fence FROM semel_slot WHERE id = ? FOR UPDATE")) {
            lock.setObject(1, dialect.binary16(key.hash()));
            lock.executeQuery();
        }
    }
}
