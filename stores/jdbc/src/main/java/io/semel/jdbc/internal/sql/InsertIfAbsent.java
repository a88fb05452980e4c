// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** An INSERT that changes nothing, and leaves the transaction usable, if the row exists already. */
public record InsertIfAbsent(SqlDialect dialect, SqlStatement statement) {

    public static InsertIfAbsent of(SqlDialect dialect, String insert) {
        String sql = dialect == SqlDialect.POSTGRESQL ? insert + " ON CONFLICT DO NOTHING" : insert;
        return new InsertIfAbsent(dialect, new SqlStatement(dialect, sql));
    }

    /** Whether the row was absent. */
    public boolean into(Connection connection, @Nullable Object... parameters) throws SQLException {
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
