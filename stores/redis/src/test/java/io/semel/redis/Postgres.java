// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.jdbc.Schema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A real PostgreSQL server, one for all tests of a run, with a database for each of them. */
final class Postgres {

    static final Postgres SERVER = new Postgres();

    private static final String ELAPSE = """
            UPDATE semel_slot
            SET since = since - ?,
                until = CASE WHEN until = 9223372036854775807 THEN until ELSE until - ? END,
                forget = CASE WHEN forget = 9223372036854775807 THEN forget ELSE forget - ? END
            """;

    private final EmbeddedPostgres server;
    private final Path directory;

    private Postgres() {
        try {
            directory = Files.createTempDirectory("semel-postgres");
            server = EmbeddedPostgres.builder()
                    .setDataDirectory(directory)
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pool on a new database with the tables of the store. */
    HikariDataSource newDatabase(String name) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        HikariDataSource pool = pool(server.getJdbcUrl("postgres", name));
        Schema.create(pool);
        return pool;
    }

    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername("postgres");
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

    /** Stands still, with everybody who is connected. */
    void pause() {
        Signal.send("STOP", processes());
    }

    void resume() {
        Signal.send("CONT", processes());
    }

    private List<ProcessHandle> processes() {
        try {
            String id = Files.readAllLines(directory.resolve("postmaster.pid")).get(0);
            ProcessHandle postmaster =
                    ProcessHandle.of(Long.parseLong(id.strip())).orElseThrow();
            return Stream.concat(Stream.of(postmaster), postmaster.descendants())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
