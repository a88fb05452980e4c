// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A real PostgreSQL server, one of each version for all tests of a run; it keeps what it acknowledges. */
final class Postgres {

    /** Where the build puts the binaries of the oldest version; those of the newest are on the class path. */
    private static final Path OLDEST_BINARIES = Path.of("target", "postgres-oldest.jar");

    private final boolean oldest;
    private final Path directory;
    private final EmbeddedPostgres server;

    private Postgres(boolean oldest) {
        this.oldest = oldest;
        this.directory = Directories.temporary("semel-postgres");
        this.server = start();
    }

    static Postgres newest() {
        return Newest.SERVER;
    }

    static Postgres oldest() {
        return Oldest.SERVER;
    }

    private EmbeddedPostgres start() {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(directory)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("deadlock_timeout", "100ms")
                .setServerConfig("timezone", "America/St_Johns")
                .setPGStartupWait(Duration.ofMinutes(2));
        try {
            return (oldest ? builder.setPgBinaryResolver(Postgres::oldestBinary) : builder).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream oldestBinary(String system, String machine) throws IOException {
        String entry = "postgres-" + system.toLowerCase(java.util.Locale.ROOT) + "-" + machine + ".txz";
        return new URL("jar:" + OLDEST_BINARIES.toUri() + "!/" + entry).openStream();
    }

    /**
     * Kills all of it without a chance to write anything more, and starts it again on the same data and port: as it was started,
     * because to go through the library again takes seconds.
     */
    void crash() {
        ProcessHandle postmaster = ProcessHandle.of(processId()).orElseThrow();
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            // It refuses to run as root, so it runs as nobody of a user namespace.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(postmaster.info().command().orElseThrow());
        command.addAll(List.of(postmaster.info().arguments().orElseThrow()));
        Kill.withChildren(postmaster.pid());
        start(command);
    }

    private void start(List<String> command) {
        try {
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("restart.log").toFile())
                    .start();
            while (!answers()) {
                if (!started.isAlive()) {
                    throw new IllegalStateException(Files.readString(directory.resolve("restart.log")));
                }
                LockSupport.parkNanos(5_000_000);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() {
        try (Connection connection = server.getPostgresDatabase().getConnection()) {
            return connection.isValid(0);
        } catch (SQLException notYet) {
            return false;
        }
    }

    private long processId() {
        try {
            return Long.parseLong(Files.readAllLines(directory.resolve("postmaster.pid"))
                    .get(0)
                    .strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int port() {
        return server.getPort();
    }

    /** A pool on a new, empty database of that name. */
    HikariDataSource newDatabase(String name) {
        return Pools.of(newUrl(name), "postgres", "");
    }

    /** The address of a new, empty database of that name. */
    String newUrl(String name) {
        try (Connection connection = server.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return server.getJdbcUrl("postgres", name);
    }

    /** A new database of that name, and the ways to it. */
    Wired wired(String name) {
        return new Wired(
                port(),
                newDatabase(name),
                // Prepared by name, statements would not say on the wire what they are.
                port -> Pools.of(
                        url(port, name) + "?sslmode=disable&prepareThreshold=0&socketTimeout=1", "postgres", ""),
                () -> Pools.of(url(port(), name) + "?options=-c%20lock_timeout=100ms", "postgres", ""),
                this::crash);
    }

    private static String url(int port, String name) {
        return "jdbc:postgresql://localhost:" + port + "/" + name;
    }

    private static final class Newest {
        static final Postgres SERVER = new Postgres(false);
    }

    private static final class Oldest {
        static final Postgres SERVER = new Postgres(true);
    }
}
