// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import io.semel.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Runs short transactions of the store's own, each on a connection that is returned in its original state. */
public final class Connections {

    private static final int MOST_TRIES = 10;
    /** How long to wait for a statement, or for a connection that has gone silent. */
    private static final int MOST_MILLIS = 15_000;

    private static final Executor DIRECTLY = Runnable::run;

    private final DataSource source;
    private final SqlDialect dialect;
    private final boolean strict;

    public Connections(DataSource source, SqlDialect dialect) {
        this.source = source;
        this.dialect = dialect;
        this.strict = isStrict();
    }

    /** Read once, because some drivers ask the server each time. */
    private boolean isStrict() {
        try (Connection connection = source.getConnection()) {
            boolean strict = connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return strict;
        } catch (SQLException e) {
            throw ConnectionFailure.of("The database's isolation level could not be read: " + e.getMessage(), e);
        }
    }

    /** Runs the action with each statement committing by itself. */
    public <T> T autocommitting(Supplier<String> what, Action<T> action) {
        return lend(what, true, action);
    }

    /** Runs the action in one transaction. */
    public <T> T committing(Supplier<String> what, Action<T> action) {
        return lend(what, false, connection -> {
            T value = action.on(connection);
            connection.commit();
            return value;
        });
    }

    private <T> T lend(Supplier<String> what, boolean autocommit, Action<T> action) {
        boolean relaxes = relaxes(autocommit);
        try (Connection connection = open(what);
                Loan loan = Loan.of(connection, autocommit && !relaxes)) {
            return repeat(loan.connection(), relaxes ? relaxed(autocommit, action) : action);
        } catch (SQLException e) {
            throw new StoreException(
                    "The database failed to " + what.get() + ", or did not confirm it: " + e.getMessage(), e);
        }
    }

    /** Set for one transaction only, so that the next user of the connection gets it unchanged. */
    private static <T> Action<T> relaxed(boolean commits, Action<T> action) {
        return connection -> {
            try (java.sql.Statement statement = connection.createStatement()) {
                statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            }
            T value = action.on(connection);
            if (commits) {
                connection.commit();
            }
            return value;
        };
    }

    /**
     * These statements decide correctly without a stricter isolation, which would only make them fail: on PostgreSQL by
     * serialization conflicts, on MariaDB and MySQL by locking the gaps between rows in a longer transaction.
     */
    private boolean relaxes(boolean autocommit) {
        return strict && (dialect == SqlDialect.POSTGRESQL || (dialect == SqlDialect.MARIADB && !autocommit));
    }

    private Connection open(Supplier<String> what) {
        try {
            return source.getConnection();
        } catch (SQLException | RuntimeException e) {
            throw ConnectionFailure.of(
                    "No database connection was available to " + what.get() + ": " + e.getMessage(), e);
        }
    }

    private <T> T repeat(Connection connection, Action<T> action) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return action.on(connection);
            } catch (SQLException e) {
                undo(connection, e);
                if (tries == MOST_TRIES || !dialect.isSafeToRepeat(e)) {
                    throw e;
                }
            } catch (RuntimeException | Error e) {
                // Otherwise switching the connection back to auto-commit would commit the half that was done.
                undo(connection, e);
                throw e;
            }
        }
    }

    private static void undo(Connection connection, Throwable cause) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** A connection with the store's settings, which are undone when it is returned. */
    private record Loan(Connection connection, boolean autocommit, int networkTimeout) implements AutoCloseable {

        static Loan of(Connection connection, boolean autocommit) throws SQLException {
            int own = connection.getNetworkTimeout();
            Loan loan = new Loan(connection, connection.getAutoCommit(), own);
            if (own == 0 || own > MOST_MILLIS) {
                connection.setNetworkTimeout(DIRECTLY, MOST_MILLIS);
            }
            connection.setAutoCommit(autocommit);
            return loan;
        }

        @Override
        public void close() throws SQLException {
            if (!connection.isClosed()) {
                connection.setAutoCommit(autocommit);
                if (networkTimeout == 0 || networkTimeout > MOST_MILLIS) {
                    connection.setNetworkTimeout(DIRECTLY, networkTimeout);
                }
            }
        }
    }

    /** An action on a connection. */
    @FunctionalInterface
    public interface Action<T> {

        T on(Connection connection) throws SQLException;
    }
}
