// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import io.semel.Fingerprint;
import io.semel.Retention;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Conversions between Java values and columns. */
public final class SqlValues {

    /** Stands for a span that never ends; nothing is ever added to it. */
    public static final long FOREVER = Long.MAX_VALUE;

    public static long micros(Duration span) {
        return span.equals(Retention.FOREVER) ? FOREVER : span.toNanos() / 1000;
    }

    public static byte[] holder(String token) {
        return token.getBytes(StandardCharsets.US_ASCII);
    }

    /** The value of a column that is a uuid in one dialect and binary(16) in the others. */
    public static byte[] binary16(ResultSet columns, String name) throws SQLException {
        Object value = columns.getObject(name);
        if (value instanceof UUID uuid) {
            return new Fingerprint(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()).toBytes();
        }
        return (byte[]) value;
    }

    private SqlValues() {}
}
