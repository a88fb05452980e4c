// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;

/** The table that the store needs: its definition, to be run by whatever runs your migrations, and a check that it is there. */
public final class Schema {

    private static final int LAYOUT = 1;

    /** The statements for a dialect; running them again does no harm. */
    public static String ddl(Dialect dialect) {
        try (InputStream in = Schema.class.getResourceAsStream(dialect.schemaFile())) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the statements; for tests and small services, others have Flyway or Liquibase do it. */
    public static void create(DataSource source) {
        try (Connection connection = source.getConnection();
                java.sql.Statement statement = connection.createStatement()) {
            for (String sql : ddl(Dialect.of(connection)).split(";\\s*\\n", -1)) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw new StoreException("Semel's table could not be created: " + e.getMessage(), e);
        }
    }

    static Dialect check(DataSource source) {
        try (Connection connection = source.getConnection()) {
            Dialect dialect = Dialect.of(connection);
            int found = layout(connection, dialect);
            if (found != LAYOUT) {
                throw new IllegalStateException(
                        "Semel's table has layout " + found + "; this version works with layout " + LAYOUT
                                + ". Apply the migrations that come with it, or use the version that fits the table.");
            }
            return dialect;
        } catch (SQLException e) {
            throw StoreException.changedNothing(
                    "The database could not be asked for Semel's table: " + e.getMessage(), e);
        }
    }

    private static int layout(Connection connection, Dialect dialect) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT MAX(version) FROM semel_layout")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "Semel's table is not in this database. Run io/semel/jdbc/" + dialect.schemaFile()
                            + " from the semel-jdbc jar, with your migrations or with Schema.create(dataSource).",
                    e);
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }

    private Schema() {}
}
