// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

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
        String size() {
            return "SELECT pg_total_relation_size('semel_slot')";
        }

        @Override
        String lockTimeout() {
            return "lock_timeout";
        }

        @Override
        String sessionEnd() {
            return "greatest(s.until, (SELECT max(q.until) FROM semel_request q WHERE q.session = s.id))";
        }
    },
    /** H2 in its own mode. */
    H2 {
        @Override
        String now() {
            return "DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP(6))";
        }

        @Override
        String size() {
            return "SELECT SUM(COALESCE(OCTET_LENGTH(result), 0) + 100) FROM semel_slot";
        }

        @Override
        String lockTimeout() {
            return "LOCK_TIMEOUT";
        }

        @Override
        boolean isSafeToRepeat(SQLException e) {
            return super.isSafeToRepeat(e) || e.getErrorCode() == H2_CONCURRENT_UPDATE || isLockTimeout(e);
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
        String size() {
            return """
                    SELECT data_length + index_length FROM information_schema.tables
                    WHERE table_schema = DATABASE() AND table_name = 'semel_slot'
                    """;
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

    /** When the session {@code s} expires; a request need not change the row of its session where it can say that itself. */
    String sessionEnd() {
        return "s.until";
    }

    /** Sixteen bytes as a parameter of the type that the id and the fingerprint have in the table. */
    Object binary16(byte[] bytes) {
        return bytes;
    }

    /** Roughly how many bytes the table takes, with its indexes where that is known. */
    abstract String size();

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
