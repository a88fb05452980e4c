// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

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

/** One SQL statement of a dialect, with what to put into its gaps. */
final class Statement {

    private final String sql;

    Statement(Dialect dialect, String sql) {
        this.sql = sql.replace("$now", dialect.now())
                .replace("$briefly", dialect.brieflyFrom())
                .replace("$inFlight", dialect.inFlight())
                .replace("$unknown", dialect.unknown())
                .replace("$due", dialect.due());
    }

    int update(Connection connection, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, parameters)) {
            return statement.executeUpdate();
        }
    }

    <T> List<T> query(Connection connection, Reader<T> reader, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                all.add(reader.read(rows));
            }
            return all;
        }
    }

    <T> Optional<T> first(Connection connection, Reader<T> reader, @Nullable Object... parameters) throws SQLException {
        return query(connection, reader, parameters).stream().findFirst();
    }

    void updateAll(Connection connection, List<Object[]> parameters) throws SQLException {
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
                // The only columns that may be null are binary.
                statement.setNull(i + 1, Types.VARBINARY);
            } else if (parameter instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (parameter instanceof Column column) {
                statement.setArray(i + 1, statement.getConnection().createArrayOf(column.type, column.values));
            } else {
                statement.setObject(i + 1, parameter);
            }
        }
    }

    /** One parameter of several questions, for databases that take arrays. */
    record Column(String type, @Nullable Object[] values) {

        static <T> Column of(String type, List<T> questions, Function<T, @Nullable Object> value) {
            // An array of byte arrays must be that to the driver, not an array of objects.
            @Nullable
            Object[] values = type.equals("bytea")
                    ? questions.stream().map(value).toArray(byte[][]::new)
                    : questions.stream().map(value).toArray();
            return new Column(type, values);
        }
    }

    /** Makes a value of the row that the cursor is at. */
    @FunctionalInterface
    interface Reader<T> {

        T read(ResultSet row) throws SQLException;
    }
}
