// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A connection that is lent to work until its transaction ends: it may do anything there but end it, which is not its own. */
record Lent(Connection connection, Key key, BooleanSupplier open) implements InvocationHandler {

    private static final Set<String> ENDING = Set.of("commit", "setAutoCommit", "abort");

    static Connection of(Connection connection, Key key, BooleanSupplier open) {
        return (Connection) Proxy.newProxyInstance(
                Lent.class.getClassLoader(), new Class<?>[] {Connection.class}, new Lent(connection, key, open));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("close")) {
            return null;
        }
        if (method.getDeclaringClass() != Object.class && !open.getAsBoolean()) {
            // By now the connection may be somebody else's.
            if (name.equals("isClosed")) {
                return true;
            }
            throw new SQLException("The transaction of " + key + " has ended, and this connection with it.", "08003");
        }
        if (ENDING.contains(name) || (name.equals("rollback") && arguments == null)) {
            throw new SQLException(
                    "The transaction of " + key + " commits when its work returns and is rolled back when it"
                            + " throws; do not call " + name + " in between.");
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
