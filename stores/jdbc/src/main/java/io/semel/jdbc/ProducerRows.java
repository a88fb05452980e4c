// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.producer.Batch;
import io.semel.producer.Producer;
import io.semel.producer.ProducerState;
import io.semel.producer.StreamState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements about producers and their streams. */
final class ProducerRows {

    private final SqlStatement alone;
    private final SqlStatement named;
    private final SqlStatement lock;
    private final SqlStatement insert;
    private final SqlStatement update;
    private final SqlStatement delete;
    private final SqlStatement stream;
    private final SqlStatement insertStream;
    private final SqlStatement updateStream;
    private final SqlStatement deleteStreams;
    private final SqlStatement idle;
    private final SqlStatement recent;

    ProducerRows(SqlDialect dialect) {
        this.alone = new SqlStatement(dialect, "SELECT version FROM semel_producer_layout FOR UPDATE");
        this.named =
                new SqlStatement(dialect, "SELECT id, epoch, advanced FROM semel_producer WHERE name = ? FOR UPDATE");
        this.lock = new SqlStatement(dialect, "SELECT id, epoch, advanced FROM semel_producer WHERE id = ? FOR UPDATE");
        this.insert = new SqlStatement(
                dialect, "INSERT INTO semel_producer (id, epoch, advanced, used, name) VALUES (?, ?, ?, $now, ?)");
        this.update = new SqlStatement(
                dialect, "UPDATE semel_producer SET id = ?, epoch = ?, advanced = ?, used = $now WHERE id = ?");
        this.delete = new SqlStatement(dialect, "DELETE FROM semel_producer WHERE id = ?");
        // Locked as well, because a locking read returns current rows, also in a transaction that reads from a
        // snapshot.
        this.stream = new SqlStatement(
                dialect, "SELECT state FROM semel_producer_stream WHERE producer = ? AND stream = ? FOR UPDATE");
        this.insertStream = new SqlStatement(
                dialect, "INSERT INTO semel_producer_stream (state, used, producer, stream) VALUES (?, $now, ?, ?)");
        this.updateStream = new SqlStatement(
                dialect, "UPDATE semel_producer_stream SET state = ?, used = $now WHERE producer = ? AND stream = ?");
        this.deleteStreams = new SqlStatement(dialect, "DELETE FROM semel_producer_stream WHERE producer = ?");
        this.idle = new SqlStatement(dialect, """
                SELECT id FROM semel_producer WHERE used <= $now - ? AND NOT EXISTS (
                    SELECT 1 FROM semel_producer_stream s WHERE s.producer = semel_producer.id AND s.used > $now - ?)
                ORDER BY used LIMIT ? FOR UPDATE SKIP LOCKED
                """);
        // Locked as well, for the same reason.
        this.recent = new SqlStatement(
                dialect,
                "SELECT producer FROM semel_producer_stream WHERE producer = ? AND used > $now - ? LIMIT 1 FOR UPDATE");
    }

    /** Keeps other transactions from registering names until this one has ended. */
    void alone(Connection connection) throws SQLException {
        alone.query(connection, row -> row.getInt("version"));
    }

    Optional<ProducerState> named(Connection connection, String name) throws SQLException {
        return named.first(connection, ProducerRows::state, bytes(name));
    }

    /** Waits for other transactions that append for this producer. */
    Optional<ProducerState> lock(Connection connection, long id) throws SQLException {
        return lock.first(connection, ProducerRows::state, id);
    }

    private static ProducerState state(ResultSet row) throws SQLException {
        return new ProducerState(new Producer(row.getLong("id"), row.getShort("epoch")), row.getInt("advanced") == 1);
    }

    void insert(Connection connection, @Nullable String name, ProducerState state) throws SQLException {
        Producer latest = state.latest();
        insert.update(
                connection, latest.id(), latest.epoch(), state.advanced() ? 1 : 0, name == null ? null : bytes(name));
    }

    void become(Connection connection, ProducerState before, ProducerState next) throws SQLException {
        Producer latest = next.latest();
        long id = before.latest().id();
        update.update(connection, latest.id(), latest.epoch(), next.advanced() ? 1 : 0, id);
        if (latest.id() != id) {
            deleteStreams.update(connection, id);
        }
    }

    Optional<StreamState> stream(Connection connection, Batch batch) throws SQLException {
        return stream.first(
                connection,
                row -> StreamState.read(row.getBytes("state")),
                batch.producer().id(),
                bytes(batch.stream()));
    }

    void write(Connection connection, Batch batch, boolean known, StreamState state) throws SQLException {
        (known ? updateStream : insertStream)
                .update(connection, state.toBytes(), batch.producer().id(), bytes(batch.stream()));
    }

    /** The idle producers that are not locked; checked again under the lock, because one may have appended in between. */
    List<Long> idle(Connection connection, Duration idle, int limit) throws SQLException {
        long micros = SqlValues.micros(idle);
        List<Long> locked = this.idle.query(connection, row -> row.getLong("id"), micros, micros, limit);
        List<Long> over = new ArrayList<>();
        for (long id : locked) {
            if (recent.first(connection, row -> row.getLong("producer"), id, micros)
                    .isEmpty()) {
                over.add(id);
            }
        }
        return over;
    }

    void delete(Connection connection, long id) throws SQLException {
        deleteStreams.update(connection, id);
        delete.update(connection, id);
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }
}
