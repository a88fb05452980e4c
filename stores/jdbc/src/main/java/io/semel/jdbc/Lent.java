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
import org.jspecify.annotations.Nullable;

/** A connection that is lent to work: it may do anything there but end the transaction, which is not its own. */
record Lent(Connection connection, Key key) implements InvocationHandler {

    private static final Set<String> ENDING = Set.of("commit", "setAutoCommit", "abort");

    static Connection of(Connection connection, Key key) {
        return (Connection) Proxy.newProxyInstance(
                Lent.class.getClassLoader(), new Class<?>[] {Connection.class}, new Lent(connection, key));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("close")) {
            return null;
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
