// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Makes all records older, or away with them. */
final class Elapsing {

    private static final String ELAPSE = """
            UPDATE semel_slot
            SET since = since - ?,
                until = CASE WHEN until = 9223372036854775807 THEN until ELSE until - ? END,
                forget = CASE WHEN forget = 9223372036854775807 THEN forget ELSE forget - ? END
            """;

    static void elapse(DataSource database, Duration span) {
        long micros = span.toNanos() / 1000;
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(ELAPSE)) {
            connection.setAutoCommit(true);
            for (int i = 1; i <= 3; i++) {
                statement.setLong(i, micros);
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    static void empty(DataSource database) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            // MariaDB refuses to truncate a table of which it just then counts the rows for itself.
            String verb = Dialect.of(connection) == Dialect.MARIADB ? "DELETE FROM" : "TRUNCATE TABLE";
            connection.createStatement().execute(verb + " semel_slot");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private Elapsing() {}
}
