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
    };

    private static final Set<String> DUPLICATE_KEY = Set.of("23505");
    private static final Set<String> SAFE_TO_REPEAT = Set.of("40001", "40P01");
    private static final int H2_LOCK_TIMEOUT = 50200;
    private static final int H2_CONCURRENT_UPDATE = 90131;

    /** The dialect of the database at the other end. */
    public static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "h2" -> H2;
            default ->
                throw new IllegalArgumentException("Semel has no dialect for '" + product
                        + "'. If it understands PostgreSQL or H2, name that dialect yourself.");
        };
    }

    /** Microseconds since 1970 by the server's clock, whatever the session's time zone is. */
    abstract String now();

    /** Sixteen bytes as a parameter of the type that the id and the fingerprint have in the table. */
    Object binary16(byte[] bytes) {
        return bytes;
    }

    /** Roughly how many bytes the table takes, with its indexes where that is known. */
    abstract String size();

    /** The name of the file with the table's definition. */
    String schemaFile() {
        return name().toLowerCase(Locale.ROOT) + ".sql";
    }

    boolean isDuplicateKey(SQLException e) {
        return e.getSQLState() != null && DUPLICATE_KEY.contains(e.getSQLState());
    }

    /** Whether the statement was undone as a whole because of somebody else's, so that it may be said again. */
    boolean isSafeToRepeat(SQLException e) {
        int code = e.getErrorCode();
        return (e.getSQLState() != null && SAFE_TO_REPEAT.contains(e.getSQLState()))
                || (this == H2 && (code == H2_LOCK_TIMEOUT || code == H2_CONCURRENT_UPDATE));
    }
}
