// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The row of one key, locked by a transaction of somebody else's until it is closed. */
record LockedRow(Connection connection) implements AutoCloseable {

    static LockedRow of(DataSource database, Key key) {
        try {
            Connection connection = database.getConnection();
            connection.setAutoCommit(false);
            lock(connection, key);
            return new LockedRow(connection);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void lock(Connection connection, Key key) throws SQLException {
        try (PreparedStatement row =
                connection.prepareStatement("SELECT fence FROM semel_slot WHERE id = ? FOR UPDATE")) {
            row.setObject(1, Dialect.of(connection).sql().binary16(key.hash()));
            try (ResultSet found = row.executeQuery()) {
                if (!found.next()) {
                    throw new AssertionError("There is no row of " + key + " to lock.");
                }
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
