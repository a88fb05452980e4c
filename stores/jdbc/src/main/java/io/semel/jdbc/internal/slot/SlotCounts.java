// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Inspectable.Counts;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Counts slots without reading the table. Slots in flight and unknown ones are counted by indexes; the others are estimated
 * from the rows with the smallest ids. Ids are hashes, so these rows are a random sample, and their density gives the total
 * to within about one percent. A table no larger than the sample is counted exactly.
 */
public final class SlotCounts {

    /** The number of rows in the sample. */
    public static final int SAMPLE = 10_000;

    private final SqlStatement inFlight;
    private final SqlStatement unknown;
    private final SqlStatement sample;
    private final SqlStatement last;
    private final Optional<SqlStatement> size;

    public SlotCounts(SqlDialect dialect) {
        this.inFlight = new SqlStatement(dialect, """
                SELECT COUNT(CASE WHEN until > $now THEN 1 END) AS held, COUNT(CASE WHEN until <= $now THEN 1 END) AS lapsed
                FROM semel_slot WHERE $inFlight
                """);
        this.unknown =
                new SqlStatement(dialect, "SELECT COUNT(*) AS counted FROM semel_slot WHERE $unknown AND until > $now");
        this.sample = new SqlStatement(dialect, """
                SELECT COUNT(CASE WHEN held = 0 AND until > $now AND kept = 1 THEN 1 END) AS settled,
                       COUNT(CASE WHEN held = 0 AND forget > $now AND (until <= $now OR kept = 0) THEN 1 END) AS gone,
                       SUM(bytes) AS bytes
                FROM (SELECT CASE WHEN holder IS NULL THEN 0 ELSE 1 END AS held, until, forget,
                             CASE WHEN result IS NULL THEN 0 ELSE 1 END AS kept, $bytes AS bytes
                      FROM semel_slot ORDER BY id LIMIT ?) sampled
                """.replace(
                        "$bytes", dialect.size().isPresent() ? "0" : "COALESCE(OCTET_LENGTH(result), 0) + 100"));
        this.last = new SqlStatement(dialect, "SELECT id FROM semel_slot ORDER BY id LIMIT 1 OFFSET ?");
        this.size = dialect.size().map(sql -> new SqlStatement(dialect, sql));
    }

    public Counts count(Connection connection) throws SQLException {
        double factor = beyondSample(connection).map(SlotCounts::factor).orElse(1.0);
        InFlight open = inFlight.first(connection, InFlight::of).orElseThrow();
        long unknowns = unknown.first(connection, row -> row.getLong("counted")).orElseThrow();
        Sample some = sample.first(connection, Sample::of, SAMPLE).orElseThrow();
        return new Counts(
                open.held,
                open.lapsed,
                unknowns,
                Math.max(0, Math.round(some.settled * factor) - unknowns),
                Math.round(some.gone * factor),
                size.isEmpty() ? Math.round(some.bytes * factor) : bytes(connection, size.get()));
    }

    /** The last id of the sample; empty if the table has no more rows. */
    Optional<byte[]> beyondSample(Connection connection) throws SQLException {
        return last.first(connection, row -> SqlValues.binary16(row, "id"), SAMPLE - 1);
    }

    /** The ratio of all possible ids to those up to this one. */
    private static double factor(byte[] last) {
        long high = ByteBuffer.wrap(last).getLong();
        return 0x1p64 / ((high >>> 1) * 2.0 + 1);
    }

    private static long bytes(Connection connection, SqlStatement size) throws SQLException {
        return size.first(connection, row -> row.getLong(1)).orElse(0L);
    }

    private record InFlight(long held, long lapsed) {

        static InFlight of(ResultSet row) throws SQLException {
            return new InFlight(row.getLong("held"), row.getLong("lapsed"));
        }
    }

    private record Sample(long settled, long gone, long bytes) {

        static Sample of(ResultSet row) throws SQLException {
            return new Sample(row.getLong("settled"), row.getLong("gone"), row.getLong("bytes"));
        }
    }
}
