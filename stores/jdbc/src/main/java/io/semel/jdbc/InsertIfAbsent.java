// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** An INSERT that leaves a row alone that is there already, and the transaction as it was. */
record InsertIfAbsent(Dialect dialect, Statement statement) {

    static InsertIfAbsent of(Dialect dialect, String insert) {
        String sql = dialect == Dialect.POSTGRESQL ? insert + " ON CONFLICT DO NOTHING" : insert;
        return new InsertIfAbsent(dialect, new Statement(dialect, sql));
    }

    /** Whether it was absent. */
    boolean into(Connection connection, @Nullable Object... parameters) throws SQLException {
        try {
            return statement.update(connection, parameters) == 1;
        } catch (SQLException e) {
            if (dialect.isDuplicateKey(e)) {
                return false;
            }
            throw e;
        }
    }
}
