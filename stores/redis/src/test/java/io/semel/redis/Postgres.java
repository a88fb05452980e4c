// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.jdbc.Schema;
import io.semel.testservers.PostgresServer;
import io.semel.testservers.PostgresServer.Version;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** PostgreSQL servers with the tables of the store, a database for each test. */
final class Postgres {

    private static final String ELAPSE = """
            UPDATE semel_slot
            SET since = since - ?,
                until = CASE WHEN until = 9223372036854775807 THEN until ELSE until - ? END,
                forget = CASE WHEN forget = 9223372036854775807 THEN forget ELSE forget - ? END
            """;

    /** For tests that pause it. */
    static PostgresServer pausable() {
        return Pausable.SERVER;
    }

    /** A pool on a new database with the tables of the store. */
    static HikariDataSource newDatabase(String name) {
        return newDatabase(PostgresServer.shared(), name);
    }

    /** The same in that server. */
    static HikariDataSource newDatabase(PostgresServer server, String name) {
        HikariDataSource pool = pool(server.newDatabase(name));
        Schema.create(pool);
        return pool;
    }

    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(PostgresServer.USER);
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    /** Makes all records older. */
    static void elapse(HikariDataSource pool, Duration span) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(ELAPSE)) {
            for (int i = 1; i <= 3; i++) {
                statement.setLong(i, span.toNanos() / 1000);
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Between tests, because what they leave behind makes elapsing slow. */
    static void empty(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("TRUNCATE semel_slot");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Pausable {
        static final PostgresServer SERVER = PostgresServer.start(Version.NEWEST);
    }

    private Postgres() {}
}
