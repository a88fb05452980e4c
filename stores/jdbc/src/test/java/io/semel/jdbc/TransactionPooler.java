// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static io.semel.jdbc.Proxies.proxy;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Gives every transaction another session of a PostgreSQL server, as poolers between services and databases do, and notes
 * whatever a transaction has left behind in its session.
 */
final class TransactionPooler implements AutoCloseable {

    private static final String STATE = """
            SELECT (SELECT string_agg(name || '=' || setting, E'\\n' ORDER BY name) FROM pg_settings)
                || E'\\nadvisory locks: '
                || (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory')
                || E'\\nprepared statements: ' || (SELECT count(*) FROM pg_prepared_statements)
            """;

    private final BlockingQueue<Connection> sessions = new LinkedBlockingQueue<>();
    private final List<Connection> all = new ArrayList<>();
    private final Set<String> leaks = ConcurrentHashMap.newKeySet();
    private final Set<String> clean;

    TransactionPooler(String url, String user, int count) throws SQLException {
        for (int i = 0; i < count; i++) {
            all.add(DriverManager.getConnection(url, user, ""));
        }
        sessions.addAll(all);
        clean = state(all.get(0)).lines().collect(Collectors.toSet());
    }

    DataSource source() {
        return proxy(DataSource.class, (method, arguments) -> proxy(Connection.class, new Client()));
    }

    /** What sessions were found to keep after a transaction. */
    Set<String> leaks() {
        return leaks;
    }

    @Override
    public void close() throws SQLException {
        for (Connection each : all) {
            each.close();
        }
    }

    private void giveBack(Connection session) throws SQLException {
        session.setAutoCommit(true);
        state(session).lines().filter(line -> !clean.contains(line)).forEach(leaks::add);
        sessions.add(session);
    }

    private static String state(Connection session) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery(STATE)) {
            row.next();
            return row.getString(1);
        }
    }

    /** What a service takes for its connection. */
    private final class Client implements Proxies.Handler {

        private int networkTimeout;
        private boolean autocommit = true;
        private boolean closed;
        /** That of the transaction under way. */
        private Connection session;

        @Override
        public Object handle(Method method, Object[] arguments) throws Exception {
            return switch (method.getName()) {
                case "getAutoCommit" -> autocommit;
                case "setAutoCommit" -> {
                    end("commit");
                    autocommit = (boolean) arguments[0];
                    yield null;
                }
                case "commit", "rollback" -> {
                    end(method.getName());
                    yield null;
                }
                case "close" -> {
                    end("rollback");
                    closed = true;
                    yield null;
                }
                case "isClosed" -> closed;
                // Between a client and its pooler; no session hears of it.
                case "getNetworkTimeout" -> networkTimeout;
                case "setNetworkTimeout" -> {
                    networkTimeout = (int) arguments[1];
                    yield null;
                }
                case "getMetaData", "createArrayOf", "getTransactionIsolation" -> method.invoke(all.get(0), arguments);
                case "prepareStatement" -> statement(PreparedStatement.class, method, arguments);
                case "createStatement" -> statement(Statement.class, method, arguments);
                default -> throw new UnsupportedOperationException(method + " would change the session.");
            };
        }

        private void end(String how) throws SQLException {
            if (session == null) {
                return;
            }
            Connection ended = session;
            session = null;
            if (how.equals("commit")) {
                ended.commit();
            } else {
                ended.rollback();
            }
            giveBack(ended);
        }

        private <T extends Statement> T statement(Class<T> type, Method method, Object[] arguments)
                throws ReflectiveOperationException, SQLException, InterruptedException {
            Connection own = session;
            if (own == null) {
                own = sessions.take();
                own.setAutoCommit(autocommit);
                session = autocommit ? null : own;
            }
            return alone(type, type.cast(method.invoke(own, arguments)), autocommit ? own : null);
        }

        /** A statement that is a transaction by itself ends it when it is closed. */
        private <T extends Statement> T alone(Class<T> type, T statement, Connection own) {
            return proxy(type, (method, arguments) -> {
                Object value = method.invoke(statement, arguments);
                if (method.getName().equals("close") && own != null) {
                    giveBack(own);
                }
                return value;
            });
        }
    }
}
