// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An SQL statement whose placeholders are filled in for a dialect. */
public final class SqlStatement {

    private final String sql;

    public SqlStatement(SqlDialect dialect, String sql) {
        this.sql = sql.replace("$now", dialect.now())
                .replace("$briefly", dialect.brieflyFrom())
                .replace("$inFlight", dialect.inFlight())
                .replace("$unknown", dialect.unknown())
                .replace("$due", dialect.due());
    }

    public int update(Connection connection, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, parameters)) {
            return statement.executeUpdate();
        }
    }

    public <T> List<T> query(Connection connection, Reader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                all.add(reader.read(rows));
            }
            return all;
        }
    }

    public <T> Optional<T> first(Connection connection, Reader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        return query(connection, reader, parameters).stream().findFirst();
    }

    public void updateAll(Connection connection, List<Object[]> parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Object[] each : parameters) {
                bind(statement, each);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private PreparedStatement prepare(Connection connection, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        bind(statement, parameters);
        return statement;
    }

    private static void bind(PreparedStatement statement, @Nullable Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            Object parameter = parameters[i];
            if (parameter == null) {
                // Only binary columns are nullable.
                statement.setNull(i + 1, Types.VARBINARY);
            } else if (parameter instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (parameter instanceof ArrayParameter array) {
                statement.setArray(i + 1, statement.getConnection().createArrayOf(array.type, array.values));
            } else {
                statement.setObject(i + 1, parameter);
            }
        }
    }

    /** One parameter of several requests, for databases that accept arrays. */
    public record ArrayParameter(String type, @Nullable Object[] values) {

        public static <T> ArrayParameter of(String type, List<T> requests, Function<T, @Nullable Object> value) {
            // The driver needs an array of byte arrays here; an array of objects would not do.
            @Nullable
            Object[] values = type.equals("bytea")
                    ? requests.stream().map(value).toArray(byte[][]::new)
                    : requests.stream().map(value).toArray();
            return new ArrayParameter(type, values);
        }
    }

    /** Reads a value from the current row. */
    @FunctionalInterface
    public interface Reader<T> {

        T read(ResultSet row) throws SQLException;
    }
}
