// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Store;
import io.semel.testkit.StoreContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;

/** The laws on a real database. */
abstract class JdbcStoreContract extends StoreContract {

    private static final String ELAPSE = """
            UPDATE semel_slot
            SET since = since - ?,
                until = CASE WHEN until = 9223372036854775807 THEN until ELSE until - ? END,
                forget = CASE WHEN forget = 9223372036854775807 THEN forget ELSE forget - ? END
            """;

    abstract HikariDataSource database();

    @BeforeAll
    void createTable() {
        Schema.create(database());
    }

    @Override
    protected Store open() {
        return JdbcStore.on(database());
    }

    @Override
    protected Store failing() {
        return Pools.closed(database());
    }

    @Override
    protected void elapse(Duration span) {
        long micros = span.toNanos() / 1000;
        try (Connection connection = database().getConnection();
                PreparedStatement statement = connection.prepareStatement(ELAPSE)) {
            for (int i = 1; i <= 3; i++) {
                statement.setLong(i, micros);
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
