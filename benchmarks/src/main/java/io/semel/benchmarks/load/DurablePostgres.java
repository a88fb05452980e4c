// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.testservers.PostgresServer;
import io.semel.testservers.PostgresServer.Version;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** A real PostgreSQL server that keeps what it acknowledges, and a pool of connections to it. */
final class DurablePostgres implements AutoCloseable {

    private final PostgresServer server;
    private final HikariDataSource pool;

    DurablePostgres(int connections) {
        server = PostgresServer.start(
                Version.NEWEST, Map.of("deadlock_timeout", "1s", "shared_buffers", "512MB", "max_wal_size", "4GB"));
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.newDatabase("semel"));
        config.setUsername(PostgresServer.USER);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(Duration.ofMinutes(2).toMillis());
        pool = new HikariDataSource(config);
    }

    HikariDataSource pool() {
        return pool;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                java.sql.ResultSet row = connection.createStatement().executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        pool.close();
        server.close();
    }
}
