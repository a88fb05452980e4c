// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Waits in the caller's transaction for the lock of a session: at most ten seconds, or less if the caller has set less.
 */
public final class LockWait {

    static final int MOST_SECONDS = 10;

    private final SqlDialect dialect;
    private final SqlStatement lock;
    private final SqlStatement intact;

    public LockWait(SqlDialect dialect) {
        this.dialect = dialect;
        this.lock = new SqlStatement(dialect, "SELECT id FROM semel_session WHERE id = ? FOR UPDATE");
        this.intact = new SqlStatement(dialect, dialect.intactAfterTimeout());
    }

    /** False after a timeout; the transaction is then unchanged. */
    boolean isLocked(Connection connection, Object session) throws SQLException {
        // H2 gives up after a second or two by default.
        if (dialect != SqlDialect.MARIADB) {
            return tryLock(connection, session);
        }
        long own = new SqlStatement(dialect, "SELECT @@innodb_lock_wait_timeout AS seconds")
                .first(connection, row -> row.getLong("seconds"))
                .orElseThrow();
        if (own <= MOST_SECONDS) {
            return tryLock(connection, session);
        }
        limit(connection, MOST_SECONDS);
        try {
            return tryLock(connection, session);
        } finally {
            limit(connection, own);
        }
    }

    private static void limit(Connection connection, long seconds) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = " + seconds);
        }
    }

    private boolean tryLock(Connection connection, Object session) throws SQLException {
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
