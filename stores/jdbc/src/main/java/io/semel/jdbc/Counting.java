// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.store.Inspectable.Counts;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Counts slots without reading the table. What is in flight and unknown is counted by indexes; of the rest the rows with the
 * smallest ids are looked at. Ids are hashes, so these are a random sample, and how close they lie together tells how many
 * there are in all: by one in a hundred, mostly. A table that has no more rows than that is counted.
 */
final class Counting {

    /** How many rows are looked at. */
    static final int SAMPLE = 10_000;

    private final Statement inFlight;
    private final Statement unknown;
    private final Statement sample;
    private final Statement last;
    private final Optional<Statement> size;

    Counting(Dialect dialect) {
        this.inFlight = new Statement(dialect, """
                SELECT COUNT(CASE WHEN until > $now THEN 1 END) AS held, COUNT(CASE WHEN until <= $now THEN 1 END) AS lapsed
                FROM semel_slot WHERE $inFlight
                """);
        this.unknown =
                new Statement(dialect, "SELECT COUNT(*) AS counted FROM semel_slot WHERE $unknown AND until > $now");
        this.sample = new Statement(dialect, """
                SELECT COUNT(CASE WHEN held = 0 AND until > $now AND kept = 1 THEN 1 END) AS settled,
                       COUNT(CASE WHEN held = 0 AND forget > $now AND (until <= $now OR kept = 0) THEN 1 END) AS gone,
                       SUM(bytes) AS bytes
                FROM (SELECT CASE WHEN holder IS NULL THEN 0 ELSE 1 END AS held, until, forget,
                             CASE WHEN result IS NULL THEN 0 ELSE 1 END AS kept, $bytes AS bytes
                      FROM semel_slot ORDER BY id LIMIT ?) sampled
                """.replace(
                        "$bytes", dialect.size().isPresent() ? "0" : "COALESCE(OCTET_LENGTH(result), 0) + 100"));
        this.last = new Statement(dialect, "SELECT id FROM semel_slot ORDER BY id LIMIT 1 OFFSET ?");
        this.size = dialect.size().map(sql -> new Statement(dialect, sql));
    }

    Counts count(Connection connection) throws SQLException {
        double factor = beyondSample(connection).map(Counting::factor).orElse(1.0);
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

    /** The last id of the sample; empty where the table has no more rows than that. */
    Optional<byte[]> beyondSample(Connection connection) throws SQLException {
        return last.first(connection, row -> Row.binary16(row, "id"), SAMPLE - 1);
    }

    /** By how much all ids there can be are more than those up to this one. */
    private static double factor(byte[] last) {
        long high = ByteBuffer.wrap(last).getLong();
        return 0x1p64 / ((high >>> 1) * 2.0 + 1);
    }

    private static long bytes(Connection connection, Statement size) throws SQLException {
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
