// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A pool of connections that can be cut off its server, and killed with what its connections were doing. */
final class CuttableDatabase extends DelegatingDataSource {

    private final Set<Connection> lent = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    CuttableDatabase(DataSource pool) {
        super(pool);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (cut) {
            throw new SQLException("The connection was cut, as the test asked.", "08001");
        }
        Connection connection = super.getConnection();
        lent.add(connection);
        return connection;
    }

    void cut() {
        cut = true;
    }

    void mend() {
        cut = false;
    }

    /** The server rolls back what it had not committed. */
    void kill() {
        cut = true;
        for (Connection connection : lent) {
            try {
                if (!connection.isClosed()) {
                    connection.abort(Runnable::run);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
