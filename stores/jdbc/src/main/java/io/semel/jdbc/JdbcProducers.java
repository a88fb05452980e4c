// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.JoinedTransaction;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.TransactionMode;
import io.semel.producer.Batch;
import io.semel.producer.Producer;
import io.semel.producer.ProducerState;
import io.semel.producer.Producers;
import io.semel.producer.Receipt;
import io.semel.producer.Receipt.Reason;
import io.semel.producer.StreamState;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * {@link Producers} in a database: the rows of a batch and the producer's state commit together, in a transaction of
 * its own or in the caller's.
 */
public final class JdbcProducers implements Producers {

    private final TransactionMode mode;
    private final ProducerRows rows;
    private final SecureRandom random = new SecureRandom();

    private JdbcProducers(TransactionMode mode, SqlDialect dialect) {
        this.mode = mode;
        this.rows = new ProducerRows(dialect);
    }

    /** Producers whose batches commit one by one; refused if {@link Schema#createProducers} has not been applied there. */
    public static JdbcProducers on(DataSource source) {
        SqlDialect dialect = Schema.checkProducers(source).sql();
        return new JdbcProducers(TransactionMode.of(new Connections(source, dialect)), dialect);
    }

    /**
     * Producers whose batches commit with the transaction in which they are appended.
     *
     * @param current gives the connection of that transaction, such as the one that Spring has bound to the thread
     */
    public static JdbcProducers joined(Supplier<? extends @Nullable Connection> current, Dialect dialect) {
        return new JdbcProducers(TransactionMode.of(new JoinedTransaction(current, dialect.sql())), dialect.sql());
    }

    @Override
    public Producer register() {
        ProducerState state = ProducerState.of(freshId());
        return mode.inTransaction(() -> "register a producer", connection -> {
            rows.insert(connection, null, state);
            return state.latest();
        });
    }

    @Override
    public Producer register(String name) {
        Batch.checkName("producer", name);
        return mode.inTransaction(() -> "register the producer " + name, connection -> {
            rows.alone(connection);
            Optional<ProducerState> known = rows.named(connection, name);
            ProducerState next =
                    known.map(state -> state.registered(freshId())).orElseGet(() -> ProducerState.of(freshId()));
            if (known.isPresent()) {
                rows.become(connection, known.get(), next);
            } else {
                rows.insert(connection, name, next);
            }
            return next.latest();
        });
    }

    @Override
    public Optional<Producer> advance(Producer instance) {
        return mode.inTransaction(() -> "advance a producer", connection -> {
            Optional<ProducerState> known = rows.lock(connection, instance.id());
            Optional<ProducerState> next = known.flatMap(state -> state.advanced(instance, freshId()));
            if (next.isPresent() && !next.equals(known)) {
                rows.become(connection, known.orElseThrow(), next.get());
            }
            return next.map(ProducerState::latest);
        });
    }

    /**
     * Appends a batch once: runs the append if the batch is next, in the transaction that remembers the batch, while no
     * other transaction can append for this producer.
     *
     * @param append appends the records on the connection and returns their position; if it throws, nothing is kept
     */
    public Receipt append(Batch batch, Append append) {
        return mode.inTransaction(() -> "append to " + batch.stream(), connection -> {
            Optional<Reason> refusal = rows.lock(connection, batch.producer().id())
                    .map(state -> state.refusal(batch.producer()))
                    .orElse(Optional.of(Reason.UNKNOWN));
            return refusal.isPresent() ? new Receipt.Refused(refusal.get()) : append(connection, batch, append);
        });
    }

    private Receipt append(Connection connection, Batch batch, Append append) throws SQLException {
        Optional<StreamState> before = rows.stream(connection, batch);
        StreamState stream = before.orElseGet(() -> StreamState.fresh(batch.producer()));
        Optional<Receipt> known = stream.known(batch);
        if (known.isPresent()) {
            return known.get();
        }
        long position = append.to(connection);
        rows.write(connection, batch, before.isPresent(), stream.with(batch, position));
        return new Receipt.Appended(position);
    }

    @Override
    public int purge(Duration idle, int limit) {
        return mode.inTransaction(() -> "purge producers", connection -> {
            List<Long> over = rows.idle(connection, idle, limit);
            for (long id : over) {
                rows.delete(connection, id);
            }
            return over.size();
        });
    }

    private long freshId() {
        return random.nextLong() & Long.MAX_VALUE;
    }

    /** Appends the records of a batch. */
    @FunctionalInterface
    public interface Append {

        /** The position of the records, which is returned again when the batch is repeated. */
        long to(Connection connection) throws SQLException;
    }
}
