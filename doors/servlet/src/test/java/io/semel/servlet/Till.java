// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.semel.jdbc.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcConnectionPool;

/** A database with the payments that were really made. */
final class Till {

    static final JdbcConnectionPool POOL = JdbcConnectionPool.create("jdbc:h2:mem:till;DB_CLOSE_DELAY=-1", "sa", "");

    static {
        Schema.create(POOL);
        try (Connection connection = POOL.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE payment (idempotency_key VARCHAR(100))");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static void pay(Connection connection, String key) {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO payment VALUES (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many payments have been committed under a key. */
    static int payments(String key) {
        return count("SELECT count(*) FROM payment WHERE idempotency_key = ?", key);
    }

    /** How many records have been committed under a key. */
    static int records(String key) {
        return count("SELECT count(*) FROM semel_slot WHERE result IS NOT NULL AND name = ?", key.getBytes(UTF_8));
    }

    private static int count(String sql, Object key) {
        try (Connection connection = POOL.getConnection();
                PreparedStatement select = connection.prepareStatement(sql)) {
            select.setObject(1, key);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Till() {}
}
