// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Lends a connection for one short transaction of the store's own, and gives it back as it was. */
final class Connections {

    private static final int MOST_TRIES = 10;
    /** How long a statement may take, and a connection of which nothing is heard any more may be waited for. */
    private static final int MOST_MILLIS = 15_000;

    private static final Executor DIRECTLY = Runnable::run;

    private final DataSource source;
    private final Dialect dialect;
    private final boolean strict;

    Connections(DataSource source, Dialect dialect) {
        this.source = source;
        this.dialect = dialect;
        this.strict = isStrict();
    }

    /** Asked once, because some drivers ask the server each time. */
    private boolean isStrict() {
        try (Connection connection = source.getConnection()) {
            boolean strict = connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return strict;
        } catch (SQLException e) {
            throw Unreachable.orBusy("The database could not be asked for its isolation: " + e.getMessage(), e);
        }
    }

    /** Each statement commits by itself. */
    <T> T autocommitting(Supplier<String> what, Action<T> action) {
        return lend(what, true, action);
    }

    /** All statements commit together. */
    <T> T committing(Supplier<String> what, Action<T> action) {
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
                    "The database could not " + what.get() + ", or did not say whether it did: " + e.getMessage(), e);
        }
    }

    /** In a transaction, so that the session is left as it was, whoever gets it next. */
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
     * A stricter isolation would only make statements fail that decide correctly without: those of PostgreSQL when they meet
     * others, those of MariaDB and MySQL by locking the gaps between rows in a longer transaction.
     */
    private boolean relaxes(boolean autocommit) {
        return strict && (dialect == Dialect.POSTGRESQL || (dialect == Dialect.MARIADB && !autocommit));
    }

    private Connection open(Supplier<String> what) {
        try {
            return source.getConnection();
        } catch (SQLException | RuntimeException e) {
            throw Unreachable.orBusy(
                    "No connection to the database could be had to " + what.get() + ": " + e.getMessage(), e);
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
                // Else the connection, made to commit by itself again, would keep the half that was done.
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

    /** A connection as the store needs it; it goes back as it came. */
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

    /** What to do with a connection. */
    @FunctionalInterface
    interface Action<T> {

        T on(Connection connection) throws SQLException;
    }
}
