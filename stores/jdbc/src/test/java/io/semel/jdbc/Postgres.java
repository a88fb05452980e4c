// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A real PostgreSQL server, one for all tests of a run; it keeps what it acknowledges. */
final class Postgres {

    private static final EmbeddedPostgres SERVER = start();

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("timezone", "America/St_Johns")
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pool on a new, empty database of that name. */
    static HikariDataSource newDatabase(String name) {
        try (Connection connection = SERVER.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return Pools.of(SERVER.getJdbcUrl("postgres", name), "postgres", "");
    }

    /** Until somebody waits for a lock. */
    static void awaitWaiter(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                var waiting = connection.prepareStatement("SELECT count(*) FROM pg_locks WHERE NOT granted")) {
            for (int waiters = 0; waiters == 0; LockSupport.parkNanos(1_000_000)) {
                try (ResultSet row = waiting.executeQuery()) {
                    row.next();
                    waiters = row.getInt(1);
                }
            }
        }
    }

    private Postgres() {}
}
