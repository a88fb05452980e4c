// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A database that is asked, of every statement before it is said, how it would do it. */
final class Explained {

    private static final Pattern GAP = Pattern.compile("\\?");
    private static final Pattern SETTING = Pattern.compile("/\\*M!.*?\\*/", Pattern.DOTALL);

    private static final Set<String> SAYING = Set.of("executeQuery", "executeUpdate", "addBatch");

    private final HikariDataSource source;
    private final Dialect dialect;
    private final List<Plan> plans = new CopyOnWriteArrayList<>();

    Explained(HikariDataSource source, Dialect dialect) {
        this.source = source;
        this.dialect = dialect;
    }

    /** The plans of what was said since the last time. */
    List<Plan> plans() {
        List<Plan> all = List.copyOf(plans);
        plans.clear();
        return all;
    }

    DataSource source() {
        return proxy(DataSource.class, (method, arguments) -> {
            Object value = method.invoke(source, arguments);
            return value instanceof Connection connection ? connection(connection) : value;
        });
    }

    private Connection connection(Connection real) {
        return proxy(Connection.class, (method, arguments) -> {
            Object value = method.invoke(real, arguments);
            return value instanceof PreparedStatement statement
                    ? statement(real, statement, (String) arguments[0])
                    : value;
        });
    }

    private PreparedStatement statement(Connection connection, PreparedStatement real, String sql) {
        List<Binding> bindings = new ArrayList<>();
        return proxy(PreparedStatement.class, (method, arguments) -> {
            if (method.getName().startsWith("set")) {
                bindings.add(new Binding(method, arguments));
            } else if (SAYING.contains(method.getName())) {
                explain(connection, sql, bindings);
                bindings.clear();
            }
            return method.invoke(real, arguments);
        });
    }

    private void explain(Connection connection, String sql, List<Binding> bindings) throws Exception {
        if (!sql.contains("semel_")) {
            return;
        }
        String plain = SETTING.matcher(sql).replaceAll("");
        try (PreparedStatement explain = connection.prepareStatement("EXPLAIN " + plain)) {
            for (Binding each : bindings) {
                each.method.invoke(explain, each.arguments);
            }
            plans.add(new Plan(plain, read(explain.executeQuery())));
        }
        if (dialect == Dialect.POSTGRESQL) {
            plans.add(new Plan("(generic) " + plain, generic(plain)));
        }
    }

    /** What a statement that is prepared once and said often is done by. */
    private String generic(String sql) throws SQLException {
        Matcher gaps = GAP.matcher(sql);
        StringBuilder numbered = new StringBuilder();
        for (int i = 1; gaps.find(); i++) {
            gaps.appendReplacement(numbered, "\\$" + i);
        }
        gaps.appendTail(numbered);
        // The driver must not take the gaps for its own.
        String url = source.getJdbcUrl() + "&preferQueryMode=simple";
        try (Connection connection = DriverManager.getConnection(url, source.getUsername(), "");
                Statement statement = connection.createStatement()) {
            return read(statement.executeQuery("EXPLAIN (GENERIC_PLAN) " + numbered));
        }
    }

    private static String read(ResultSet rows) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (rows) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    text.append(rows.getString(i)).append(i < columns ? " | " : "\n");
                }
            }
        }
        return text.toString();
    }

    private static <T> T proxy(Class<T> type, Call call) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            try {
                return call.on(method, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** A statement, and how the database would do it. */
    record Plan(String sql, String text) {}

    private record Binding(Method method, Object[] arguments) {}

    private interface Call {

        Object on(Method method, Object[] arguments) throws Exception;
    }
}
