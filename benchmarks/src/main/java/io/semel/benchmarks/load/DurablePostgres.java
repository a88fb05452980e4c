// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A real PostgreSQL server that keeps what it acknowledges, and a pool of connections to it. */
final class DurablePostgres implements AutoCloseable {

    private final EmbeddedPostgres server;
    private final HikariDataSource pool;

    DurablePostgres(int connections) throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "4GB")
                .setPGStartupWait(Duration.ofMinutes(2))
                .start();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
        config.setUsername("postgres");
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
    public void close() throws IOException {
        pool.close();
        server.close();
    }
}
