// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The SQL and the error codes of one kind of database. */
public enum SqlDialect {
    /** PostgreSQL, and databases that understand its SQL. */
    POSTGRESQL {
        @Override
        public Object binary16(byte[] bytes) {
            ByteBuffer bits = ByteBuffer.wrap(bytes);
            return new UUID(bits.getLong(), bits.getLong());
        }

        @Override
        String now() {
            return "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint";
        }

        @Override
        public Optional<String> size() {
            return Optional.of("SELECT pg_total_relation_size('semel_slot')");
        }

        @Override
        String inFlight() {
            return "coalesce(length(holder), -1) >= 0";
        }

        @Override
        String unknown() {
            return """
                    get_byte(substring(result FROM 1 FOR 2) || '\\x0000'::bytea, 0) IN (1, 2)
                    AND get_byte(substring(result FROM 1 FOR 2) || '\\x0000'::bytea, 1) & 15 = 3
                    """;
        }

        @Override
        String due() {
            return "until";
        }

        @Override
        String lockTimeout() {
            return "lock_timeout";
        }

        @Override
        String brieflyFrom() {
            return "FROM set_config('lock_timeout', '2s', true)";
        }
    },
    /** H2 in its own mode. */
    H2 {
        @Override
        String now() {
            return "DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP(6))";
        }

        @Override
        String lockTimeout() {
            return "LOCK_TIMEOUT";
        }

        @Override
        public <T> T withoutWaiting(Connection connection, Connections.Action<T> action) throws SQLException {
            try (java.sql.Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT LOCK_TIMEOUT()")) {
                row.next();
                int own = row.getInt(1);
                // Zero would mean to wait for a locked row without limit.
                statement.execute("SET LOCK_TIMEOUT 1");
                try {
                    return action.on(connection);
                } finally {
                    statement.execute("SET LOCK_TIMEOUT " + own);
                }
            }
        }

        @Override
        public boolean isSafeToRepeat(SQLException e) {
            return super.isSafeToRepeat(e) || e.getErrorCode() == SqlStates.H2_CONCURRENT_UPDATE;
        }

        @Override
        public boolean isLockTimeout(SQLException e) {
            return e.getErrorCode() == SqlStates.H2_LOCK_TIMEOUT;
        }
    },
    /** The dialect that MariaDB and MySQL share; tested on MariaDB 11.4, with the drivers of both. */
    MARIADB {
        @Override
        String now() {
            return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
        }

        @Override
        public Optional<String> size() {
            return Optional.of("""
                    SELECT data_length + index_length FROM information_schema.tables
                    WHERE table_schema = DATABASE() AND table_name = 'semel_slot'
                    """);
        }

        @Override
        String lockTimeout() {
            return "innodb_lock_wait_timeout";
        }

        /**
         * Reads the time without the row: in a transaction that has read anything, MariaDB from 11.6 on refuses to wait for
         * a newer row (innodb_snapshot_isolation), so that a duplicate could not wait for the first call.
         */
        @Override
        public String firstLook() {
            return "SELECT CAST(NULL AS BINARY(16)) AS id, $now AS now FROM DUAL WHERE ? IS NOT NULL";
        }

        /** MySQL reads it as a comment. */
        @Override
        public String noWait() {
            return "/*M! SET STATEMENT innodb_lock_wait_timeout = 0 FOR */ ";
        }

        @Override
        public String briefly() {
            return "/*M! SET STATEMENT innodb_lock_wait_timeout = 2 FOR */ ";
        }

        /** A statement that hit a duplicate key already has a shared lock; two that asked for more would deadlock. */
        @Override
        public String sharing() {
            return "LOCK IN SHARE MODE";
        }

        /** A server may be configured to roll back the whole transaction. */
        @Override
        public String intactAfterTimeout() {
            return "SELECT @@innodb_rollback_on_timeout = 0";
        }

        @Override
        public boolean isDuplicateKey(SQLException e) {
            return e.getErrorCode() == SqlStates.MARIADB_DUPLICATE_KEY;
        }

        @Override
        public boolean isSafeToRepeat(SQLException e) {
            return super.isSafeToRepeat(e)
                    || e.getErrorCode() == SqlStates.MARIADB_DEADLOCK
                    || e.getErrorCode() == SqlStates.MARIADB_CHANGED_SINCE;
        }

        @Override
        public boolean isLockTimeout(SQLException e) {
            return e.getErrorCode() == SqlStates.MARIADB_LOCK_TIMEOUT;
        }
    };

    /** The dialect of the database behind the connection. */
    public static SqlDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "h2" -> H2;
            case "mariadb", "mysql" -> MARIADB;
            default ->
                throw new IllegalArgumentException(
                        "Semel has no dialect for '" + product + "', only for PostgreSQL, MariaDB, MySQL and H2.");
        };
    }

    /** Microseconds since 1970 by the server's clock, in any time zone of the session. */
    abstract String now();

    /** Sixteen bytes as a parameter of the column type of ids and fingerprints. */
    public Object binary16(byte[] bytes) {
        return bytes;
    }

    /** A query for the approximate size of the table with its indexes; empty if the database would have to read the table. */
    public Optional<String> size() {
        return Optional.empty();
    }

    /** An indexed condition for claimed and unsettled rows; without partial indexes, on a generated column, as below. */
    String inFlight() {
        return "phase = 1";
    }

    /** The same for rows that are settled as unknown. */
    String unknown() {
        return "phase = 2";
    }

    /** The indexed column with the time at which a row without a holder is due to be purged. */
    String due() {
        return "due";
    }

    public boolean isDuplicateKey(SQLException e) {
        return SqlStates.DUPLICATE_KEY.equals(e.getSQLState());
    }

    /** Whether the statement was undone as a whole because of a conflict, so that it may be repeated. */
    public boolean isSafeToRepeat(SQLException e) {
        return SqlStates.isSafeToRepeat(e.getSQLState()) && !isLockTimeout(e);
    }

    /** The first query of a transaction that may take a slot: the time and, where reading does no harm, the row. */
    public String firstLook() {
        return """
                SELECT s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
                FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = ?
                """;
    }

    /** The clause with which a query waits for the newest version of a row without blocking other readers. */
    public String sharing() {
        return "FOR UPDATE";
    }

    /** The prefix with which a statement fails instead of waiting for a lock; empty if only the session can be set. */
    public String noWait() {
        return "";
    }

    /** The prefix with which a statement waits briefly for a lock; empty if that is set elsewhere or by the session. */
    public String briefly() {
        return "";
    }

    /** The same as a clause of an UPDATE that precedes its WHERE. */
    String brieflyFrom() {
        return "";
    }

    /** Whether the failure only means that other transactions use the same rows. */
    public boolean isContention(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return isSafeToRepeat(sql) || isLockTimeout(sql);
            }
        }
        return false;
    }

    /** Runs statements in a session that fails instead of waiting for a lock, and restores its settings. */
    public <T> T withoutWaiting(Connection connection, Connections.Action<T> action) throws SQLException {
        return action.on(connection);
    }

    /** The name of the setting that limits waits for locks. */
    abstract String lockTimeout();

    /** A query for whether a transaction is intact after a lock timeout. */
    public String intactAfterTimeout() {
        return "SELECT TRUE";
    }

    /** Whether waiting for another transaction took longer than the database allows. */
    public boolean isLockTimeout(SQLException e) {
        return SqlStates.LOCK_TIMEOUT.equals(e.getSQLState());
    }
}
