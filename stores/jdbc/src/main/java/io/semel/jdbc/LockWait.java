// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Waits, in the caller's transaction, for whoever has a session; for ten seconds at most, or less where the caller says so. */
final class LockWait {

    static final int MOST_SECONDS = 10;

    private final Dialect dialect;
    private final Statement lock;
    private final Statement intact;

    LockWait(Dialect dialect) {
        this.dialect = dialect;
        this.lock = new Statement(dialect, "SELECT id FROM semel_session WHERE id = ? FOR UPDATE");
        this.intact = new Statement(dialect, dialect.intactAfterTimeout());
    }

    /** False if it took too long; the transaction is as it was then. */
    boolean isOver(Connection connection, Object session) throws SQLException {
        // H2 waits for a second or two by itself.
        if (dialect != Dialect.MARIADB) {
            return isHad(connection, session);
        }
        long own = new Statement(dialect, "SELECT @@innodb_lock_wait_timeout AS seconds")
                .first(connection, row -> row.getLong("seconds"))
                .orElseThrow();
        if (own <= MOST_SECONDS) {
            return isHad(connection, session);
        }
        limit(connection, MOST_SECONDS);
        try {
            return isHad(connection, session);
        } finally {
            limit(connection, own);
        }
    }

    private static void limit(Connection connection, long seconds) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = " + seconds);
        }
    }

    private boolean isHad(Connection connection, Object session) throws SQLException {
        try {
            lock.query(connection, row -> row.getObject("id"), session);
            return true;
        } catch (SQLException e) {
            if (dialect.isLockTimeout(e)
                    && intact.first(connection, row -> row.getBoolean(1)).orElseThrow()) {
                return false;
            }
            throw e;
        }
    }
}
