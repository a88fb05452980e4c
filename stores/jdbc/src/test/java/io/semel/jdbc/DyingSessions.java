// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.testkit.Wire.Moment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A pool on which a session is killed at a chosen step, once; a step is a statement or a commit. */
final class DyingSessions {

    private final HikariDataSource pool;
    private final Admin admin;
    private final AtomicInteger stepsLeft = new AtomicInteger(Integer.MAX_VALUE);
    private volatile Moment moment = Moment.BEFORE;

    DyingSessions(HikariDataSource pool) {
        this.pool = pool;
        this.admin = Admin.of(pool);
    }

    void killAt(int step, Moment when) {
        moment = when;
        stepsLeft.set(step);
    }

    /** Whether the step was reached; afterwards nobody dies any more. */
    boolean killed() {
        return stepsLeft.getAndSet(Integer.MAX_VALUE) < 0;
    }

    DataSource source() {
        return proxy(DataSource.class, (method, arguments) -> {
            Object value = method.invoke(pool, arguments);
            return value instanceof Connection connection ? watched(connection) : value;
        });
    }

    private Connection watched(Connection real) {
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("commit")) {
                return step(real, real, method, arguments);
            }
            Object value = method.invoke(real, arguments);
            if (value instanceof PreparedStatement statement) {
                return watched(PreparedStatement.class, statement, real);
            }
            return value instanceof Statement statement ? watched(Statement.class, statement, real) : value;
        });
    }

    private <T> T watched(Class<T> type, T real, Connection connection) {
        return proxy(
                type,
                (method, arguments) -> method.getName().startsWith("execute")
                        ? step(connection, real, method, arguments)
                        : method.invoke(real, arguments));
    }

    private Object step(Connection connection, Object real, Method method, Object[] arguments)
            throws ReflectiveOperationException, SQLException {
        if (stepsLeft.getAndDecrement() != 0) {
            return method.invoke(real, arguments);
        }
        if (moment == Moment.BEFORE) {
            admin.kill(connection);
            return method.invoke(real, arguments);
        }
        long session = admin.session(connection);
        Object value = method.invoke(real, arguments);
        admin.kill(session);
        pool.evictConnection(connection);
        throw new SQLException("The answer " + value + " was lost with the session.", "08006");
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            try {
                return handler.handle(method, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private interface Handler {

        Object handle(Method method, Object[] arguments) throws ReflectiveOperationException, SQLException;
    }
}
