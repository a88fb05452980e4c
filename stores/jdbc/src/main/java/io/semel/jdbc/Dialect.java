// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How one kind of database wants to be spoken to. */
public enum Dialect {
    /** PostgreSQL, and databases that understand it. */
    POSTGRESQL {
        @Override
        Object binary16(byte[] bytes) {
            ByteBuffer bits = ByteBuffer.wrap(bytes);
            return new UUID(bits.getLong(), bits.getLong());
        }

        @Override
        String now() {
            return "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint";
        }

        @Override
        Optional<String> size() {
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
        <T> T unwaiting(Connection connection, Connections.Action<T> action) throws SQLException {
            try (java.sql.Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT LOCK_TIMEOUT()")) {
                row.next();
                int own = row.getInt(1);
                // Of a row that is locked, zero would mean without end.
                statement.execute("SET LOCK_TIMEOUT 1");
                try {
                    return action.on(connection);
                } finally {
                    statement.execute("SET LOCK_TIMEOUT " + own);
                }
            }
        }

        @Override
        boolean isSafeToRepeat(SQLException e) {
            return super.isSafeToRepeat(e) || e.getErrorCode() == H2_CONCURRENT_UPDATE;
        }

        @Override
        boolean isLockTimeout(SQLException e) {
            return e.getErrorCode() == H2_LOCK_TIMEOUT;
        }
    },
    /** The dialect that MariaDB and MySQL share; tested on MariaDB 11.4, with the drivers of both. */
    MARIADB {
        @Override
        String now() {
            return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
        }

        @Override
        Optional<String> size() {
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
         * Not the row: in a transaction that has read anything, MariaDB from 11.6 on refuses to wait for a row that is newer
         * (innodb_snapshot_isolation), so that a duplicate could not wait for the first.
         */
        @Override
        String firstLook() {
            return "SELECT CAST(NULL AS BINARY(16)) AS id, $now AS now FROM DUAL WHERE ? IS NOT NULL";
        }

        /** To MySQL it is a comment. */
        @Override
        String unwaiting() {
            return "/*M! SET STATEMENT innodb_lock_wait_timeout = 0 FOR */ ";
        }

        @Override
        String briefly() {
            return "/*M! SET STATEMENT innodb_lock_wait_timeout = 2 FOR */ ";
        }

        /** Whoever ran into a duplicate has the row shared already; asking for more would be a deadlock between two of them. */
        @Override
        String sharing() {
            return "LOCK IN SHARE MODE";
        }

        /** Servers can be told to undo all of it. */
        @Override
        String intactAfterTimeout() {
            return "SELECT @@innodb_rollback_on_timeout = 0";
        }

        @Override
        boolean isDuplicateKey(SQLException e) {
            return e.getErrorCode() == MARIADB_DUPLICATE_KEY;
        }

        @Override
        boolean isSafeToRepeat(SQLException e) {
            return super.isSafeToRepeat(e)
                    || e.getErrorCode() == MARIADB_DEADLOCK
                    || e.getErrorCode() == MARIADB_CHANGED_SINCE;
        }

        @Override
        boolean isLockTimeout(SQLException e) {
            return e.getErrorCode() == MARIADB_LOCK_TIMEOUT;
        }
    };

    private static final Set<String> SAFE_TO_REPEAT = Set.of("40001", "40P01");
    private static final String DUPLICATE_KEY = "23505";
    private static final String LOCK_TIMEOUT = "55P03";
    private static final int H2_LOCK_TIMEOUT = 50200;
    private static final int H2_CONCURRENT_UPDATE = 90131;
    private static final int MARIADB_CHANGED_SINCE = 1020;
    private static final int MARIADB_DUPLICATE_KEY = 1062;
    private static final int MARIADB_LOCK_TIMEOUT = 1205;
    private static final int MARIADB_DEADLOCK = 1213;

    /** The dialect of the database at the other end. */
    public static Dialect of(Connection connection) throws SQLException {
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

    /** Microseconds since 1970 by the server's clock, whatever the session's time zone is. */
    abstract String now();

    /** Sixteen bytes as a parameter of the type that the id and the fingerprint have in the table. */
    Object binary16(byte[] bytes) {
        return bytes;
    }

    /** Asks roughly how many bytes the table takes, with its indexes; empty where the database does not know without reading it. */
    Optional<String> size() {
        return Optional.empty();
    }

    /** A condition that an index answers: claimed and not settled. Here and below, a column made for it where no index can be partial. */
    String inFlight() {
        return "phase = 1";
    }

    /** The same of rows that are settled as unknown. */
    String unknown() {
        return "phase = 2";
    }

    /** The column by which an index finds, among rows without a holder, those that are over. */
    String due() {
        return "due";
    }

    boolean isDuplicateKey(SQLException e) {
        return DUPLICATE_KEY.equals(e.getSQLState());
    }

    /** Whether the statement was undone as a whole because of somebody else's, so that it may be said again. */
    boolean isSafeToRepeat(SQLException e) {
        return e.getSQLState() != null && SAFE_TO_REPEAT.contains(e.getSQLState()) && !isLockTimeout(e);
    }

    /** What a transaction that may go on to take a slot asks first: the time and, where reading does no harm, the row. */
    String firstLook() {
        return """
                SELECT s.id, s.print, s.fence, s.attempts, s.holder, s.since, s.until, s.forget, s.result, c.now
                FROM (SELECT $now AS now) c LEFT JOIN semel_slot s ON s.id = ?
                """;
    }

    /** What makes a query read the newest version of a row, waiting for whoever is at it, without keeping other readers off. */
    String sharing() {
        return "FOR UPDATE";
    }

    /** What lets a statement fail where it would wait for a lock; empty where a session has to be told. */
    String unwaiting() {
        return "";
    }

    /** What lets a statement wait for a lock a little while only; empty where that is said elsewhere, or by the session. */
    String briefly() {
        return "";
    }

    /** The same as a clause of an UPDATE, before its WHERE. */
    String brieflyFrom() {
        return "";
    }

    /** Whether it only met others at the same rows, so that the database is there and somebody is at the key. */
    boolean isContention(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return isSafeToRepeat(sql) || isLockTimeout(sql);
            }
        }
        return false;
    }

    /** Says statements in a session that fails where they would wait for a lock, and leaves it as it was. */
    <T> T unwaiting(Connection connection, Connections.Action<T> action) throws SQLException {
        return action.on(connection);
    }

    /** The name of the setting that bounds such a wait. */
    abstract String lockTimeout();

    /** Asks whether a transaction goes on, as it was, after such a wait took too long. */
    String intactAfterTimeout() {
        return "SELECT TRUE";
    }

    /** Whether the wait for somebody else's transaction took longer than the database allows. */
    boolean isLockTimeout(SQLException e) {
        return LOCK_TIMEOUT.equals(e.getSQLState());
    }
}
