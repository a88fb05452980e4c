// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.testservers.PostgresServer;
import io.semel.testservers.PostgresServer.Version;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** A real PostgreSQL server that keeps what it acknowledges, and a small pool of connections to it. */
final class DurablePostgres implements AutoCloseable {

    private static final int CONNECTIONS = 8;

    private final PostgresServer server;
    private final HikariDataSource pool;

    DurablePostgres() {
        server = PostgresServer.start(Version.NEWEST);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.newDatabase("semel"));
        config.setUsername(PostgresServer.USER);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(CONNECTIONS);
        config.setConnectionTimeout(Duration.ofMinutes(1).toMillis());
        pool = new HikariDataSource(config);
    }

    HikariDataSource pool() {
        return pool;
    }

    /** Connections that somebody has taken and not given back. */
    long lent() {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    long rows(String table) {
        try (Connection connection = pool.getConnection();
                ResultSet row = connection.createStatement().executeQuery("SELECT count(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        pool.close();
        server.close();
    }
}
