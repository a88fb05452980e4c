// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.producer.Batch;
import io.semel.producer.Producer;
import io.semel.producer.Producers;
import io.semel.producer.Receipt;
import io.semel.producer.Receipt.Appended;
import io.semel.producer.Receipt.Duplicate;
import io.semel.producer.Receipt.Reason;
import io.semel.producer.Receipt.Refused;
import io.semel.testkit.producer.ProducerContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The laws of producers on a real database, whose table of lines is what they append to. */
abstract class JdbcProducersContract extends ProducerContract {

    private static final int THREADS = 8;

    private HikariDataSource database;

    /** A new, empty database of that name. */
    abstract HikariDataSource newDatabase(String name);

    @BeforeAll
    void createTables() throws SQLException {
        database = newDatabase("producers");
        assertThatThrownBy(() -> JdbcProducers.on(database)).hasMessageContaining("Schema.createProducers");
        Schema.createProducers(database);
        Schema.createProducers(database);
        execute(
                "CREATE TABLE line (number INTEGER NOT NULL, stream VARCHAR(100) NOT NULL, text VARCHAR(100) NOT NULL)");
    }

    @AfterAll
    void close() {
        database.close();
    }

    @Override
    protected Producers open() {
        return JdbcProducers.on(database);
    }

    @Override
    protected Receipt append(Batch batch, List<String> records) {
        return JdbcProducers.on(database).append(batch, connection -> write(connection, batch, records));
    }

    @Override
    protected Receipt append(Batch batch, List<String> records, RuntimeException failure) {
        return JdbcProducers.on(database).append(batch, connection -> {
            write(connection, batch, records);
            throw failure;
        });
    }

    private static long write(Connection connection, Batch batch, List<String> records) throws SQLException {
        int first = records(connection, batch.stream()).size();
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO line VALUES (?, ?, ?)")) {
            for (int i = 0; i < records.size(); i++) {
                insert.setInt(1, first + i);
                insert.setString(2, batch.stream());
                insert.setString(3, records.get(i));
                insert.executeUpdate();
            }
        }
        return first;
    }

    @Override
    protected List<String> records(String stream) {
        try (Connection connection = transaction()) {
            List<String> all = records(connection, stream);
            connection.rollback();
            return all;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> records(Connection connection, String stream) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT text FROM line WHERE stream = ? ORDER BY number")) {
            query.setString(1, stream);
            List<String> all = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    all.add(rows.getString(1));
                }
            }
            return all;
        }
    }

    @Override
    protected void elapse(Duration span) {
        long micros = span.toNanos() / 1000;
        execute("UPDATE semel_producer SET used = used - " + micros);
        execute("UPDATE semel_producer_stream SET used = used - " + micros);
    }

    @Test
    void aBatchThatFailedHalfwayLeavesNothing() {
        Batch batch = new Batch(open().register(), name(), 0, 1);
        assertThatThrownBy(() -> append(batch, List.of("half"), new IllegalStateException("Enough.")))
                .hasMessage("Enough.");
        assertThat(records(batch.stream())).isEmpty();
    }

    @Test
    void ofManyWhoSendOneBatchAtOnceOneAppendsIt() throws Exception {
        Batch batch = new Batch(open().register(), name(), 0, 2);
        List<Receipt> receipts = atOnce(() -> append(batch, List.of("a", "b")));
        assertThat(records(batch.stream())).containsExactly("a", "b");
        assertThat(receipts).containsOnlyOnce(new Appended(0));
        assertThat(receipts).filteredOn(new Duplicate(0)::equals).hasSize(THREADS - 1);
    }

    @Test
    void ofManyWhoRegisterOneNameAtOnceEachHasItsEpoch() throws Exception {
        String name = name();
        List<Producer> instances = atOnce(() -> open().register(name));
        assertThat(instances.stream().map(Producer::id).distinct()).hasSize(1);
        assertThat(instances.stream().map(each -> (int) each.epoch()))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, THREADS).boxed().toList());
    }

    /** Case 97. */
    @Test
    void whoseTransactionIsOpenIsNotPurged() throws SQLException {
        String stream = name();
        Producer producer = open().register();
        try (Connection connection = transaction()) {
            elapse(Duration.ofDays(2));
            Batch batch = new Batch(producer, stream, 0, 1);
            Receipt receipt = joined(connection).append(batch, own -> write(own, batch, List.of("late")));
            assertThat(receipt).isEqualTo(new Appended(0));
            open().purge(Duration.ofDays(1), 1000);
            connection.commit();
        }
        assertThat(append(new Batch(producer, stream, 0, 1), List.of("again"))).isEqualTo(new Duplicate(0));
        assertThat(records(stream)).containsExactly("late");
    }

    /** Case 100: a transaction over two streams that ends with the epoch, and the same once more after its answer was lost. */
    @Test
    void aCommitThatIsRepeatedIsTheSameCommit() throws SQLException {
        String orders = name();
        String payments = name();
        Producer producer = open().register();
        Producer next = commit(producer, orders, payments);
        assertThat(records(orders)).containsExactly("order");
        assertThat(records(payments)).containsExactly("payment");

        try (Connection connection = transaction()) {
            assertThat(joined(connection).advance(producer)).contains(next);
            connection.rollback();
        }
        assertThat(append(new Batch(producer, orders, 1, 1), List.of("delayed")))
                .isEqualTo(new Refused(Reason.FENCED));
        commit(next, orders, payments);
        assertThat(records(orders)).hasSize(2);
    }

    private Producer commit(Producer producer, String orders, String payments) throws SQLException {
        try (Connection connection = transaction()) {
            JdbcProducers joined = joined(connection);
            Batch order = new Batch(producer, orders, 0, 1);
            Batch payment = new Batch(producer, payments, 0, 1);
            joined.append(order, own -> write(own, order, List.of("order")));
            joined.append(payment, own -> write(own, payment, List.of("payment")));
            Producer next = joined.advance(producer).orElseThrow();
            connection.commit();
            return next;
        }
    }

    @Test
    void aTransactionThatIsRolledBackLeavesNeitherRowsNorState() throws SQLException {
        String stream = name();
        Producer producer = open().register();
        Batch batch = new Batch(producer, stream, 0, 1);
        try (Connection connection = transaction()) {
            assertThat(joined(connection).append(batch, own -> write(own, batch, List.of("undone"))))
                    .isInstanceOf(Appended.class);
            connection.rollback();
        }
        assertThat(records(stream)).isEmpty();
        assertThat(append(batch, List.of("done"))).isEqualTo(new Appended(0));
    }

    private JdbcProducers joined(Connection connection) throws SQLException {
        return JdbcProducers.joined(() -> connection, Dialect.of(connection));
    }

    private static <T> List<T> atOnce(Callable<T> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<T> all = new ArrayList<>();
            for (Future<T> each : threads.invokeAll(java.util.Collections.nCopies(THREADS, task))) {
                all.add(each.get());
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    private Connection transaction() throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private void execute(String sql) {
        try (Connection connection = transaction();
                var statement = connection.createStatement()) {
            statement.execute(sql);
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static String name() {
        return UUID.randomUUID().toString();
    }
}
