// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A real PostgreSQL server, in another time zone than any JVM of the tests. */
public final class PostgresServer implements AutoCloseable {

    /** The versions that are tested. */
    public enum Version {
        /** The last one. */
        NEWEST,
        /** The first one that is supported. */
        OLDEST
    }

    /** The only user; it has no password. */
    public static final String USER = "postgres";

    private static final Map<String, String> HOSTILE =
            Map.of("timezone", "America/St_Johns", "deadlock_timeout", "100ms");
    private static final Map<String, String> DURABLE =
            Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

    private final ServerProcess process;
    private final EmbeddedPostgres server;

    private PostgresServer(Version version, Map<String, String> settings) {
        // At SIGQUIT it ends within milliseconds and removes its shared memory, which it would leave behind at SIGKILL.
        process = new ServerProcess("postgres", "QUIT");
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data())
                .setRegisterShutdownHook(false)
                .setServerConfig("unix_socket_directories", process.directory().toString())
                .setPGStartupWait(Duration.ofMinutes(2));
        settings.forEach(builder::setServerConfig);
        if (version == Version.OLDEST) {
            builder.setPgBinaryResolver(PostgresServer::oldestBinaries);
        }
        try {
            server = builder.start();
            process.runsAs(postmaster());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one for all tests of this JVM that neither end nor pause it; it is quick, and forgets at a crash. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** One that keeps what it acknowledged, whatever happens to it. */
    public static PostgresServer start(Version version) {
        return start(version, Map.of());
    }

    /** The same with more settings. */
    public static PostgresServer start(Version version, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(HOSTILE);
        settings.putAll(DURABLE);
        settings.putAll(more);
        return new PostgresServer(version, settings);
    }

    private static InputStream oldestBinaries(String system, String machine) throws IOException {
        String name = "/postgres-oldest/postgres-" + system.toLowerCase(Locale.ROOT) + "-" + machine + ".txz";
        InputStream binaries = PostgresServer.class.getResourceAsStream(name);
        if (binaries == null) {
            throw new IOException("No " + name + " on the class path.");
        }
        return binaries;
    }

    private Path data() {
        return process.directory().resolve("data");
    }

    private ProcessHandle postmaster() throws IOException {
        String id = Files.readAllLines(data().resolve("postmaster.pid")).get(0);
        return ProcessHandle.of(Long.parseLong(id.strip())).orElseThrow();
    }

    /** Where it listens, on this machine only. */
    public int port() {
        return server.getPort();
    }

    /** The address of a database, with the user in it. */
    public String url(String database) {
        return server.getJdbcUrl(USER, database);
    }

    /** The address of a new, empty database of that name, with the user in it. */
    public String newDatabase(String name) {
        try (Connection connection = DriverManager.getConnection(url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return url(name);
    }

    /** Kills all of it without a chance to write anything more, and starts it again on the same data and port. */
    public void crash() {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            // It refuses to run as root, so it runs as nobody of a user namespace.
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(process.command());
        process.kill();
        process.start(command, this::answers);
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(url("postgres"))) {
            return connection.isValid(0);
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** It stands still, with every session. */
    public void pause() {
        process.pause();
    }

    /** It goes on after a pause. */
    public void resume() {
        process.resume();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process.close();
    }

    private static final class Shared {

        static final PostgresServer SERVER = new PostgresServer(Version.NEWEST, HOSTILE);
    }
}
