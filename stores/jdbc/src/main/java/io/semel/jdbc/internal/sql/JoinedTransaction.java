// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import io.semel.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The caller's transaction; without one, every action is refused. */
public record JoinedTransaction(Supplier<? extends @Nullable Connection> current, SqlDialect dialect) {

    /** Whether there is a transaction to join. */
    public boolean isPresent() {
        Connection connection = current.get();
        try {
            return connection != null && !connection.getAutoCommit();
        } catch (SQLException e) {
            throw new StoreException(
                    "The state of the transaction's connection could not be read: " + e.getMessage(), e);
        }
    }

    public <T> T within(String what, Connections.Action<T> action) {
        Connection connection = current.get();
        try {
            if (connection == null || connection.getAutoCommit()) {
                throw new IllegalStateException("There is no transaction to join in order to " + what + ": "
                        + (connection == null
                                ? "the supplier gave no connection."
                                : "the connection commits every statement by itself.")
                        + " Begin a transaction first (connection.setAutoCommit(false), or @Transactional),"
                        + " or use a store that needs none (JdbcStore, JdbcSessions.on).");
            }
            return action.on(connection);
        } catch (SQLException e) {
            throw new StoreException("The transaction could not " + what + why(e) + ": " + e.getMessage(), e);
        }
    }

    private String why(SQLException e) {
        if (dialect.isLockTimeout(e)) {
            return ", because another transaction with the same key is still running; roll it back and try again later,"
                    + " or raise " + dialect.lockTimeout();
        }
        return dialect.isSafeToRepeat(e)
                ? ", because it conflicted with another transaction; roll it back and begin again"
                : "; roll it back and begin again";
    }
}
