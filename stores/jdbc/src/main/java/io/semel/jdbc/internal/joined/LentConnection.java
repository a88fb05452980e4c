// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.joined;

import io.semel.Key;
import io.semel.jdbc.internal.sql.SqlStates;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A connection lent to the work until its transaction ends; the work may do anything but end the transaction. */
record LentConnection(Connection connection, Key key, BooleanSupplier open) implements InvocationHandler {

    private static final Set<String> ENDING = Set.of("commit", "setAutoCommit", "abort");

    static Connection of(Connection connection, Key key, BooleanSupplier open) {
        return (Connection) Proxy.newProxyInstance(
                LentConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new LentConnection(connection, key, open));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("close")) {
            return null;
        }
        if (method.getDeclaringClass() != Object.class && !open.getAsBoolean()) {
            // By now another caller may have the connection.
            if (name.equals("isClosed")) {
                return true;
            }
            throw new SQLException(
                    "The transaction of " + key + " has ended, and this connection with it.", SqlStates.NO_CONNECTION);
        }
        if (ENDING.contains(name) || (name.equals("rollback") && arguments == null)) {
            throw new SQLException(
                    "The transaction of " + key + " commits when its work returns and is rolled back when it"
                            + " throws; the work must not call " + name + ".");
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
