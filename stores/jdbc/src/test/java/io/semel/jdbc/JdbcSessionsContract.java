// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Level;
import io.semel.Outcome;
import io.semel.Outcome.Reason;
import io.semel.session.InspectableSessions;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.testkit.session.InspectableSessionContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The laws of sessions on a real database, in the store's own transactions and in the caller's. */
abstract class JdbcSessionsContract extends InspectableSessionContract {

    private static final Fingerprint ASKED = Fingerprint.of("asked");

    private final Map<String, HikariDataSource> databases = new ConcurrentHashMap<>();

    /** A new, empty database of that name. */
    abstract HikariDataSource newDatabase(String name);

    @BeforeAll
    void createTables() throws SQLException {
        for (String name : List.of("sessions", "few_sessions")) {
            HikariDataSource database = newDatabase(name);
            Schema.createSessions(database);
            databases.put(name, database);
        }
        execute(database(), "CREATE TABLE effect (number INTEGER)");
    }

    @AfterAll
    void close() {
        databases.values().forEach(HikariDataSource::close);
    }

    /** Not because anything must be clean, but because all that is there has to be made older again and again. */
    @AfterEach
    void empty() {
        List.of("semel_request", "semel_session", "semel_session_count")
                .forEach(table -> execute(database(), "DELETE FROM " + table));
    }

    HikariDataSource database() {
        return databases.get("sessions");
    }

    @Override
    protected InspectableSessions open() {
        return JdbcSessions.on(database(), 10_000);
    }

    @Override
    protected SessionStore withRoomFor(int sessions) {
        HikariDataSource few = databases.get("few_sessions");
        List.of("semel_request", "semel_session", "semel_session_count")
                .forEach(table -> execute(few, "DELETE FROM " + table));
        return JdbcSessions.on(few, sessions);
    }

    @Override
    protected void elapse(Duration span) {
        long micros = span.toNanos() / 1000;
        databases.values().forEach(database -> {
            execute(database, "UPDATE semel_session SET look = look - " + micros + ", until = until - " + micros);
            execute(database, "UPDATE semel_request SET until = until - " + micros);
        });
    }

    @Test
    void effectAnswerAndMarkCommitTogether() throws SQLException {
        SessionKey session = registered();
        try (Connection connection = transaction()) {
            assertThat(pay(connection, session, 1, 1)).isEqualTo(new Outcome.Done<>("paid 1", false));
            connection.commit();
        }
        try (Connection connection = transaction()) {
            assertThat(pay(connection, session, 1, 1)).isEqualTo(new Outcome.Done<>("paid 1", true));
            assertThat(pay(connection, session, 2, 2)).isEqualTo(new Outcome.Done<>("paid 2", false));
            connection.commit();
        }
        try (Connection connection = transaction()) {
            assertThat(pay(connection, session, 1, 1)).isEqualTo(new Outcome.Refused<>(Reason.STALE));
            connection.rollback();
        }
        assertThat(effects(1)).isEqualTo(1);
        assertThat(effects(2)).isEqualTo(1);
    }

    @Test
    void effectAnswerAndMarkAreRolledBackTogether() throws SQLException {
        SessionKey session = registered();
        try (Connection connection = transaction()) {
            pay(connection, session, 11, 11);
            connection.commit();
        }
        try (Connection connection = transaction()) {
            pay(connection, session, 12, 12);
            connection.rollback();
        }
        assertThat(effects(12)).isZero();
        try (Connection connection = transaction()) {
            assertThat(pay(connection, session, 11, 11)).isEqualTo(new Outcome.Done<>("paid 11", true));
            assertThat(pay(connection, session, 12, 11)).isEqualTo(new Outcome.Done<>("paid 12", false));
            connection.commit();
        }
        assertThat(effects(12)).isEqualTo(1);
    }

    @Test
    void aDuplicateWaitsForTheFirstTransactionAndGetsItsAnswer() throws Exception {
        SessionKey session = registered();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        CountDownLatch begun = new CountDownLatch(1);
        try (Connection first = transaction()) {
            pay(first, session, 21, 21);
            Future<Outcome<String>> duplicate = threads.submit(() -> {
                try (Connection second = transaction()) {
                    begun.countDown();
                    Outcome<String> outcome = pay(second, session, 21, 21);
                    second.commit();
                    return outcome;
                }
            });
            begun.await();
            first.commit();
            assertThat(duplicate.get()).isEqualTo(new Outcome.Done<>("paid 21", true));
        } finally {
            threads.shutdownNow();
        }
        assertThat(effects(21)).isEqualTo(1);
    }

    @Test
    void withoutATransactionThereIsNothingToJoin() throws SQLException {
        SessionKey session = registered();
        try (Connection connection = database().getConnection()) {
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> pay(connection, session, 31, 31))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no transaction to join")
                    .hasMessageContaining("@Transactional");
        }
    }

    @Test
    void aDatabaseWithoutTheTablesIsRefusedWithWhatToDo() {
        try (HikariDataSource empty = newDatabase("no_sessions")) {
            assertThatThrownBy(() -> JdbcSessions.on(empty, 1))
                    .hasMessageContaining("R__semel_sessions.sql")
                    .hasMessageContaining("Schema.createSessions");
        }
    }

    private SessionKey registered() {
        Session session = Session.of("somebody");
        assertThat(open().register(session)).isTrue();
        return session.key();
    }

    private Outcome<String> pay(Connection connection, SessionKey session, int number, int firstOutstanding)
            throws SQLException {
        SessionStore joined = JdbcSessions.joined(() -> connection, Dialect.of(connection), 10_000);
        assertThat(joined.level()).isEqualTo(Level.JOINED);
        return Engine.on(joined).run(session.call(number, firstOutstanding, ASKED), Codec.utf8(), attempt -> {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
                insert.setInt(1, number);
                insert.executeUpdate();
            }
            return "paid " + number;
        });
    }

    private Connection transaction() throws SQLException {
        Connection connection = database().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private long effects(int number) throws SQLException {
        try (Connection connection = transaction();
                PreparedStatement count = connection.prepareStatement("SELECT COUNT(*) FROM effect WHERE number = ?")) {
            count.setInt(1, number);
            try (var rows = count.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            } finally {
                connection.rollback();
            }
        }
    }

    private static void execute(HikariDataSource database, String sql) {
        try (Connection connection = database.getConnection();
                java.sql.Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
