// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.StoreException;
import io.semel.jdbc.internal.sql.SqlDialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** The stores' tables: their definitions, for your migration tool to run, and a check that they exist. */
public final class Schema {

    private static final int MOST_TRIES = 5;
    /** The pause after each attempt that waited for a table in use, so that its users can go on. */
    private static final long PAUSE_NANOS = 1_000_000_000;

    /** Held while the statements after it in the same batch run. */
    private static final String ONE_BY_ONE = "SELECT pg_advisory_xact_lock(hashtext('semel_layout'));\n";

    /** The statements for a dialect; running them again does no harm. */
    public static String ddl(Dialect dialect) {
        return ddl(Part.KEYS, dialect);
    }

    /** The same for the tables of {@link JdbcSessions}. */
    public static String sessionsDdl(Dialect dialect) {
        return ddl(Part.SESSIONS, dialect);
    }

    /** The same for the tables of {@link JdbcProducers}. */
    public static String producersDdl(Dialect dialect) {
        return ddl(Part.PRODUCERS, dialect);
    }

    private static String ddl(Part part, Dialect dialect) {
        try (InputStream in = Schema.class.getResourceAsStream(part.file(dialect))) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the statements, for tests and small services; elsewhere Flyway or Liquibase runs them. */
    public static void create(DataSource source) {
        create(Part.KEYS, source);
    }

    /** The same for the tables of {@link JdbcSessions}. */
    public static void createSessions(DataSource source) {
        create(Part.SESSIONS, source);
    }

    /** The same for the tables of {@link JdbcProducers}. */
    public static void createProducers(DataSource source) {
        create(Part.PRODUCERS, source);
    }

    /**
     * Even IF NOT EXISTS fails if another process creates the same table at the same time; the next try then finds it.
     */
    private static void create(Part part, DataSource source) {
        for (int tries = 1; ; tries++) {
            try {
                tryToCreate(part, source);
                return;
            } catch (SQLException e) {
                boolean locked = SqlDialect.MARIADB.isLockTimeout(e);
                if (tries == MOST_TRIES || SqlDialect.POSTGRESQL.isLockTimeout(e)) {
                    throw failed(e, locked);
                }
                if (locked) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    /** The script for PostgreSQL has retried by itself, and says why it failed. */
    private static StoreException failed(SQLException e, boolean locked) {
        String why = locked
                ? ", because another transaction has been using it all the while; wait until that has ended and run it again"
                : "";
        return new StoreException("Semel's table could not be created or upgraded" + why + ": " + e.getMessage(), e);
    }

    private static void tryToCreate(Part part, DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                java.sql.Statement statement = connection.createStatement()) {
            Dialect dialect = Dialect.of(connection);
            if (dialect == Dialect.H2) {
                oneByOne(statements(part, dialect), statement);
            } else {
                all(statements(part, dialect), statement);
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
    }

    /** Two connections that change the same table deadlock in H2; they mostly belong to one process. */
    private static synchronized void oneByOne(List<String> statements, java.sql.Statement statement)
            throws SQLException {
        all(statements, statement);
    }

    private static void all(List<String> statements, java.sql.Statement statement) throws SQLException {
        for (String sql : statements) {
            if (!sql.isBlank()) {
                statement.execute(sql);
            }
        }
    }

    /** The PostgreSQL driver splits statements itself, because functions contain some. */
    private static List<String> statements(Part part, Dialect dialect) {
        String all = ddl(part, dialect);
        return dialect == Dialect.POSTGRESQL ? List.of(ONE_BY_ONE + all) : List.of(all.split(";\\s*\\n", -1));
    }

    /**
     * The dialect of a database, for {@link JoinedStore}; if the table is missing or has another layout, refused with a
     * message that says what to run.
     */
    public static Dialect check(DataSource source) {
        return check(Part.KEYS, source);
    }

    static Dialect checkSessions(DataSource source) {
        return check(Part.SESSIONS, source);
    }

    static Dialect checkProducers(DataSource source) {
        return check(Part.PRODUCERS, source);
    }

    private static Dialect check(Part part, DataSource source) {
        try (Connection connection = source.getConnection()) {
            Dialect dialect = Dialect.of(connection);
            int found = layout(part, connection, dialect);
            if (found != part.version) {
                throw new IllegalStateException(
                        "Semel\'s table has layout " + found + "; this version works with layout " + part.version
                                + ". Apply this version\'s migrations, or use the version that matches the table.");
            }
            return dialect;
        } catch (SQLException e) {
            throw StoreException.changedNothing(
                    "Semel's table could not be looked up in the database: " + e.getMessage(), e);
        }
    }

    private static int layout(Part part, Connection connection, Dialect dialect) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT MAX(version) FROM " + part.layout)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "Semel's table is not in this database. Run io/semel/jdbc/" + part.file(dialect)
                            + " from the semel-jdbc jar, with your migrations or with Schema." + part.create
                            + "(dataSource).",
                    e);
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }

    /** The sets of tables, each usable without the others. */
    private enum Part {
        KEYS("", "R__semel.sql", "semel_layout", 2, "create"),
        SESSIONS("sessions/", "R__semel_sessions.sql", "semel_session_layout", 2, "createSessions"),
        PRODUCERS("producers/", "R__semel_producers.sql", "semel_producer_layout", 1, "createProducers");

        private final String directory;
        private final String file;
        private final String layout;
        private final int version;
        private final String create;

        Part(String directory, String file, String layout, int version, String create) {
            this.directory = directory;
            this.file = file;
            this.layout = layout;
            this.version = version;
            this.create = create;
        }

        private String file(Dialect dialect) {
            return directory + dialect.name().toLowerCase(Locale.ROOT) + "/" + file;
        }
    }

    private Schema() {}
}
