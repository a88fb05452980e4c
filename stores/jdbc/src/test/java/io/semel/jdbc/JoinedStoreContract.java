// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store joined to the caller's transaction promises, on a real database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JoinedStoreContract {

    private static final Codec<String> UTF8 = Codec.utf8();

    private static final ThreadLocal<Connection> TRANSACTION = new ThreadLocal<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Engine engine;
    /** The thread of the duplicate. */
    volatile Thread waiter;

    abstract DataSource database();

    @BeforeAll
    void createTables() throws SQLException {
        Schema.create(database());
        try (Connection connection = database().getConnection()) {
            connection.createStatement().execute("CREATE TABLE charge (orderid VARCHAR(100) NOT NULL)");
            engine = Engine.on(JoinedStore.on(TRANSACTION::get, Dialect.of(connection)))
                    .with(Operation.named("charge").demand(Level.JOINED));
        }
    }

    @AfterAll
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void theRecordAndTheEffectCommitTogether() throws Exception {
        Call call = newCall();

        assertThat(inTransaction(connection -> charge(connection, call))).isEqualTo(new Done<>("charged", false));
        assertThat(inTransaction(connection -> charge(connection, call))).isEqualTo(new Done<>("charged", true));
        assertThat(charges(call)).isEqualTo(1);
    }

    @Test
    void aRollbackUndoesTheRecordAndTheEffectTogether() throws Exception {
        Call call = newCall();
        try (Connection connection = begin()) {
            charge(connection, call);
            connection.rollback();
        }

        assertThat(charges(call)).isZero();
        assertThat(inTransaction(connection -> charge(connection, call))).isEqualTo(new Done<>("charged", false));
        assertThat(charges(call)).isEqualTo(1);
    }

    @Test
    void aConnectionThatIsLostUndoesTheRecordAndTheEffectTogether() throws Exception {
        Call call = newCall();
        Connection connection = begin();
        charge(connection, call);
        connection.abort(Runnable::run);

        assertThat(inTransaction(again -> charge(again, call))).isEqualTo(new Done<>("charged", false));
        assertThat(charges(call)).isEqualTo(1);
    }

    @Test
    void workThatThrowsLeavesTheKeyFreeEvenIfItsCallerCommits() throws Exception {
        Call call = newCall();
        try (Connection connection = begin()) {
            assertThatThrownBy(() -> engine.run(call, UTF8, attempt -> {
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            connection.commit();
        }

        assertThat(inTransaction(connection -> charge(connection, call))).isEqualTo(new Done<>("charged", false));
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatch() throws Exception {
        Call call = newCall();
        inTransaction(connection -> charge(connection, call));
        Call other = Call.of(call.key(), Fingerprint.of("other"));

        assertThat(inTransaction(connection -> charge(connection, other))).isEqualTo(new Refused<>(Reason.MISMATCH));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDuplicateWaitsForTheFirstAndGetsItsAnswerOrRuns(boolean commits) throws Exception {
        Call call = newCall();
        CountDownLatch begun = new CountDownLatch(1);
        Future<Outcome<String>> duplicate;
        try (Connection connection = begin()) {
            assertThat(charge(connection, call)).isEqualTo(new Done<>("charged", false));
            duplicate = threads.submit(() -> inTransaction(second -> {
                waiter = Thread.currentThread();
                begun.countDown();
                return charge(second, call);
            }));
            begun.await();
            awaitWaiter();
            assertThat(duplicate.isDone()).isFalse();
            if (commits) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }

        assertThat(duplicate.get()).isEqualTo(new Done<>("charged", commits));
        assertThat(charges(call)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void ofManyAtOnceOneChargesAndAllGetItsAnswer(int isolation) throws Exception {
        Call call = newCall();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Outcome<String>>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(threads.submit(() -> {
                start.await();
                return untilItCommits(isolation, connection -> charge(connection, call));
            }));
        }
        start.countDown();

        for (Future<Outcome<String>> each : all) {
            assertThat(each.get().orThrow()).isEqualTo("charged");
        }
        assertThat(charges(call)).isEqualTo(1);
    }

    @Test
    void withoutATransactionItSaysWhatToDo() throws Exception {
        try (Connection connection = database().getConnection()) {
            connection.setAutoCommit(true);
            TRANSACTION.set(connection);

            assertThatThrownBy(() -> engine.run(newCall(), UTF8, attempt -> "never"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)")
                    .hasMessageContaining("@Transactional");
        }
    }

    /** Until somebody waits in the database for a lock. */
    abstract void awaitWaiter() throws Exception;

    private Outcome<String> charge(Connection connection, Call call) throws SQLException {
        return engine.run(call, UTF8, attempt -> {
            try (var insert = connection.prepareStatement("INSERT INTO charge VALUES (?)")) {
                insert.setString(1, call.key().id());
                insert.executeUpdate();
                return "charged";
            }
        });
    }

    private Connection begin() throws SQLException {
        Connection connection = database().getConnection();
        connection.setAutoCommit(false);
        TRANSACTION.set(connection);
        return connection;
    }

    private Outcome<String> inTransaction(Connections.Action<Outcome<String>> action) throws SQLException {
        try (Connection connection = begin()) {
            Outcome<String> outcome = action.on(connection);
            connection.commit();
            return outcome;
        }
    }

    /** As a caller does who knows that a transaction can lose against another, and begins it again. */
    private Outcome<String> untilItCommits(int isolation, Connections.Action<Outcome<String>> action)
            throws SQLException {
        for (int tries = 0; ; tries++) {
            try (Connection connection = begin()) {
                connection.setTransactionIsolation(isolation);
                try {
                    Outcome<String> outcome = action.on(connection);
                    connection.commit();
                    return outcome;
                } catch (SQLException | RuntimeException e) {
                    connection.rollback();
                    if (tries == 20) {
                        throw e;
                    }
                }
            }
        }
    }

    private int charges(Call call) throws SQLException {
        try (Connection connection = database().getConnection();
                var count = connection.prepareStatement("SELECT COUNT(*) FROM charge WHERE orderid = ?")) {
            count.setString(1, call.key().id());
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static Call newCall() {
        return Call.of(Key.of("payments", UUID.randomUUID().toString()), Fingerprint.of("500 EUR"));
    }
}
