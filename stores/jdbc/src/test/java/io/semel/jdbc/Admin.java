// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** What somebody who runs a database can see of its sessions and do to them. */
final class Admin {

    private static final Duration MOST_WAITING = Duration.ofSeconds(30);

    private final DataSource database;
    private final Dialect dialect;

    Admin(DataSource database, Dialect dialect) {
        this.database = database;
        this.dialect = dialect;
    }

    static Admin of(DataSource database) {
        try (Connection connection = database.getConnection()) {
            return new Admin(database, Dialect.of(connection));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends a session as if its process had died. */
    void kill(Connection session) throws SQLException {
        kill(session(session));
    }

    void kill(long session) throws SQLException {
        execute(
                switch (dialect) {
                    case POSTGRESQL -> "SELECT pg_terminate_backend(" + session + ", 10000)";
                    case MARIADB -> "KILL " + session;
                    case H2 -> "CALL ABORT_SESSION(" + session + ")";
                });
    }

    /** The number by which the database knows it. */
    long session(Connection connection) throws SQLException {
        return number(
                connection,
                switch (dialect) {
                    case POSTGRESQL -> "SELECT pg_backend_pid()";
                    case MARIADB -> "SELECT CONNECTION_ID()";
                    case H2 -> "SELECT SESSION_ID()";
                });
    }

    Dialect dialect() {
        return dialect;
    }

    /** Until so many sessions wait, with a claim, for a transaction of somebody else. */
    void awaitWaiters(int count) throws SQLException {
        awaitWaiters(count, "INSERT INTO semel_slot");
    }

    /** The same with a statement that begins like this, where the database tells. */
    void awaitWaiters(int count, String statement) throws SQLException {
        String waiting = switch (dialect) {
            case POSTGRESQL -> "SELECT COUNT(*) FROM pg_locks WHERE NOT granted";
            // Not from innodb_trx, which shows the same for as long as somebody keeps looking.
            case MARIADB -> "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '" + statement + "%'";
            // It knows of no waiting, it tries again and again.
            case H2 ->
                "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE EXECUTING_STATEMENT LIKE '" + statement + "%'";
        };
        long end = System.nanoTime() + MOST_WAITING.toNanos();
        try (Connection connection = database.getConnection()) {
            for (long now = number(connection, waiting); now < count; now = number(connection, waiting)) {
                if (System.nanoTime() > end) {
                    throw new AssertionError(now + " sessions wait for others, not " + count + ".");
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** Lets this session wait for others only shortly. */
    void hurry(Connection session) throws SQLException {
        execute(
                session,
                switch (dialect) {
                    case POSTGRESQL -> "SET LOCAL lock_timeout = '100ms'";
                    case MARIADB -> "SET SESSION innodb_lock_wait_timeout = 1";
                    case H2 -> "SET LOCK_TIMEOUT 100";
                });
    }

    /** Undoes {@link #hurry}, where the end of the transaction does not. */
    void calm(Connection session) throws SQLException {
        switch (dialect) {
            case POSTGRESQL -> {}
            case MARIADB -> execute(session, "SET SESSION innodb_lock_wait_timeout = DEFAULT");
            case H2 -> execute(session, "SET LOCK_TIMEOUT 10000");
        }
    }

    private static void execute(Connection session, String sql) throws SQLException {
        try (var statement = session.createStatement()) {
            statement.execute(sql);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return number(connection, sql);
        }
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
