// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.testkit.AfterCrash;
import io.semel.testkit.Sender;
import io.semel.testkit.SentTwice;
import io.semel.testkit.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What {@code docs/jdbc.md} and the README show of a database, as they show it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageTest {

    private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

    private final HikariDataSource dataSource = Postgres.newest().newDatabase("page");
    private final Admin admin = Admin.of(dataSource);
    private final List<String> shown = shown("sql");
    private final Call call = Call.of(Key.of("payments", "order-17"), Fingerprint.of("order-17", "500"));
    private final String order = "order-17";

    @BeforeAll
    void createTables() throws SQLException {
        admin.execute("CREATE TABLE payment (id text)");
        admin.execute("CREATE TABLE shipment (id integer PRIMARY KEY, state text, version integer)");
        admin.execute("CREATE TABLE account (id integer PRIMARY KEY, balance integer, fence bigint)");
    }

    @AfterAll
    void stop() {
        dataSource.close();
    }

    @Test
    void aStoreThatCommitsPaysOnceAndAJoinedOneFindsIt() throws SQLException {
        transacting();
        joined();
        transacting();

        assertThat(payments(order)).isEqualTo(1);
    }

    private long payments(String paid) {
        try {
            return admin.number("SELECT COUNT(*) FROM payment WHERE id = '" + paid + "'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @SentTwice
    void howeverItIsSentAPaymentInTheStoresTransactionIsMadeOnce(Sender sender) {
        Schema.create(dataSource);
        String paid = UUID.randomUUID().toString();
        Call once = Call.of(Key.of("payments", paid), Fingerprint.of(paid));
        TransactingStore store = TransactingStore.on(dataSource);
        sender.over(store)
                .afterCrash(AfterCrash.ANSWERED)
                .start(() ->
                        Engine.on(sender.store()).with(Operation.named("pay").demand(Level.JOINED)))
                .send(engine -> engine.run(once, Codec.utf8(), attempt -> {
                    Connection connection = store.connection(attempt);
                    insertPayment(connection, paid);
                    return "paid";
                }))
                .hasEffects(1, () -> payments(paid))
                .answersEqually();
    }

    /** A crash is one of its caller's transaction, which is rolled back with the record in it. */
    @SentTwice({Way.ONE_AFTER_THE_OTHER, Way.AT_ONCE, Way.AT_ONCE_TO_TWO_PROCESSES, Way.STORE_DOWN})
    void howeverItIsSentAPaymentInTheCallersTransactionIsMadeOnce(Sender sender) {
        Schema.create(dataSource);
        String paid = UUID.randomUUID().toString();
        Call once = Call.of(Key.of("payments", paid), Fingerprint.of(paid));
        sender.over(JoinedStore.on(CURRENT::get, dataSource))
                .start(() ->
                        Engine.on(sender.store()).with(Operation.named("pay").demand(Level.JOINED)))
                .send(engine -> joined(engine, once, paid))
                .hasEffects(1, () -> payments(paid))
                .answersEqually();
    }

    private Outcome<String> joined(Engine engine, Call once, String paid) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            CURRENT.set(connection);
            Outcome<String> outcome = engine.run(once, Codec.utf8(), attempt -> {
                insertPayment(connection, paid);
                return "paid";
            });
            connection.commit();
            return outcome;
        }
    }

    private void transacting() throws SQLException {
        Schema.create(dataSource);

        TransactingStore store = TransactingStore.on(dataSource);
        Engine engine = Engine.on(store).with(Operation.named("pay").demand(Level.JOINED));

        Outcome<String> outcome = engine.run(call, Codec.utf8(), attempt -> {
            Connection connection = store.connection(attempt);
            insertPayment(connection, order);
            return "paid";
        });
        assertThat(outcome.orThrow()).isEqualTo("paid");
    }

    private void joined() throws SQLException {
        JoinedStore store = JoinedStore.on(CURRENT::get, dataSource);
        Engine engine = Engine.on(store).with(Operation.named("pay").demand(Level.JOINED));

        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            CURRENT.set(connection);
            Outcome<String> outcome = engine.run(call, Codec.utf8(), attempt -> {
                insertPayment(connection, order);
                return "paid";
            });
            connection.commit();
            assertThat(outcome.orThrow()).isEqualTo("paid");
        }
    }

    private static void insertPayment(Connection connection, String order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO payment VALUES (?)")) {
            insert.setString(1, order);
            insert.executeUpdate();
        }
    }

    @Test
    void everyLineOfTheCodeIsOneOfThisClass() throws IOException {
        List<String> here = Files.readAllLines(Path.of("src/test/java/io/semel/jdbc/PageTest.java")).stream()
                .map(String::strip)
                .toList();

        assertThat(Stream.concat(
                        shown("java").stream(),
                        shown("../../README.md", "java").stream().filter(block -> block.contains("TransactingStore"))))
                .hasSize(3)
                .flatMap(block -> block.lines()
                        .map(line -> line.replaceFirst(" *//.*", "").strip())
                        .toList())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(here).contains(line));
    }

    @Test
    void anUpsertGuardedByStateNeverTurnsItBack() throws SQLException {
        String upsert = shown.get(0);

        assertThat(update(upsert, 1, 2)).isEqualTo(1);
        assertThat(update(upsert, 1, 2)).isZero();
        assertThat(update(upsert, 1, 1)).isZero();
        assertThat(update(upsert, 1, 3)).isEqualTo(1);
        assertThat(admin.number("SELECT version FROM shipment WHERE id = 1")).isEqualTo(3);
    }

    @Test
    void aLockOnANaturalKeyLastsAsLongAsTheTransaction() throws SQLException {
        CompletableFuture<Void> second;
        try (Connection first = dataSource.getConnection()) {
            first.setAutoCommit(false);
            lock(first, "alice");
            second = CompletableFuture.runAsync(this::lockAlice, task -> new Thread(task).start());
            admin.awaitWaiters(1);
            try (Connection other = dataSource.getConnection()) {
                other.setAutoCommit(false);
                lock(other, "bob");
                other.rollback();
            }
            assertThat(second).isNotDone();
            first.commit();
        }
        second.join();
    }

    @Test
    void aFencedWriteOfAHolderThatWasGivenUpChangesNothing() throws SQLException {
        String write = shown.get(2);
        admin.execute("INSERT INTO account VALUES (1, 100, 0)");

        assertThat(update(write, 90, 7L, 1, 7L)).isEqualTo(1);
        assertThat(update(write, 80, 9L, 1, 9L)).isEqualTo(1);
        assertThat(update(write, 90, 7L, 1, 7L)).isZero();
        assertThat(admin.number("SELECT balance FROM account WHERE id = 1")).isEqualTo(80);
    }

    private void lockAlice() {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            lock(connection, "alice");
            connection.rollback();
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private void lock(Connection connection, String account) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(shown.get(1))) {
            lock.setString(1, account);
            lock.execute();
        }
    }

    private int update(String sql, Object... parameters) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    private static List<String> shown(String language) {
        return shown("../../docs/jdbc.md", language);
    }

    private static List<String> shown(String page, String language) {
        try {
            String text = Files.readString(Path.of(page));
            return Pattern.compile("```" + language + "\n(.*?)\n```", Pattern.DOTALL)
                    .matcher(text)
                    .results()
                    .map((MatchResult result) -> result.group(1))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
