// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static io.semel.jdbc.Proxies.proxy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** A database of which somebody watches every step: a statement or a commit. */
final class Watched {

    static DataSource of(DataSource source, Watcher watcher) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object value = method.invoke(source, arguments);
            return value instanceof Connection connection ? connection(connection, watcher) : value;
        });
    }

    private static Connection connection(Connection real, Watcher watcher) {
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("commit")) {
                return watcher.step(real, "COMMIT", () -> method.invoke(real));
            }
            Object value = method.invoke(real, arguments);
            if (value instanceof PreparedStatement statement) {
                return statement(PreparedStatement.class, statement, (String) arguments[0], real, watcher);
            }
            return value instanceof Statement statement
                    ? statement(Statement.class, statement, "", real, watcher)
                    : value;
        });
    }

    private static <T> T statement(Class<T> type, T real, String prepared, Connection connection, Watcher watcher) {
        return proxy(type, (method, arguments) -> {
            if (!method.getName().startsWith("execute")) {
                return method.invoke(real, arguments);
            }
            String sql = arguments == null ? prepared : (String) arguments[0];
            return watcher.step(connection, sql, () -> method.invoke(real, arguments));
        });
    }

    /** Takes a step, or does something else instead. */
    interface Watcher {

        Object step(Connection connection, String sql, Callable<Object> step) throws Exception;
    }

    private Watched() {}
}
