// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Lends a connection for one short transaction of the store's own, and gives it back as it was. */
final class Connections {

    private static final int MOST_TRIES = 10;

    private final DataSource source;
    private final Dialect dialect;

    Connections(DataSource source, Dialect dialect) {
        this.source = source;
        this.dialect = dialect;
    }

    /** Each statement commits by itself. */
    <T> T autocommitting(String what, Action<T> action) {
        return lend(what, true, action);
    }

    /** All statements commit together. */
    <T> T committing(String what, Action<T> action) {
        return lend(what, false, connection -> {
            T value = action.on(connection);
            connection.commit();
            return value;
        });
    }

    private <T> T lend(String what, boolean autocommit, Action<T> action) {
        try (Connection connection = open(what)) {
            boolean before = connection.getAutoCommit();
            connection.setAutoCommit(autocommit);
            try {
                return repeat(connection, action);
            } finally {
                restore(connection, before);
            }
        } catch (SQLException e) {
            throw new StoreException(
                    "The database could not " + what + ", or did not say whether it did: " + e.getMessage(), e);
        }
    }

    private static void restore(Connection connection, boolean autocommit) throws SQLException {
        if (!connection.isClosed()) {
            connection.setAutoCommit(autocommit);
        }
    }

    private Connection open(String what) {
        try {
            return source.getConnection();
        } catch (SQLException | RuntimeException e) {
            throw StoreException.changedNothing(
                    "No connection to the database could be had to " + what + ": " + e.getMessage(), e);
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
            }
        }
    }

    private static void undo(Connection connection, SQLException cause) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** What to do with a connection. */
    @FunctionalInterface
    interface Action<T> {

        T on(Connection connection) throws SQLException;
    }
}
