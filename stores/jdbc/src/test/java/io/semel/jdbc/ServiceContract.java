// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stores in services as people run them: several processes, small pools, impatient servers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
abstract class ServiceContract {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HikariDataSource pool;
    private Till till;

    /** The address of a new database. */
    abstract String url();

    abstract String user();

    /** What to add to the address so that no statement takes longer than a fifth of a second. */
    abstract String impatience();

    /** Keeps everybody else from the table until {@link #unlock}. */
    abstract void lock(Connection connection) throws SQLException;

    abstract void unlock(Connection connection) throws SQLException;

    @BeforeAll
    void createTables() {
        pool = Pools.of(url(), user(), "");
        Schema.create(pool);
        till = new Till(pool);
    }

    @AfterAll
    void stop() {
        threads.shutdownNow();
        pool.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Level.class,
            names = {"LEASED", "JOINED"})
    void ofHundredsOfThreadsInTwoProcessesOneChargesAndAllGetItsAnswer(Level level) throws Exception {
        String id = UUID.randomUUID().toString();
        Callable<Set<String>> here = new Rush(pool, level, id).ready();
        Process there = Rush.start(pool, level, id);
        awaitLine(there.getInputStream());
        there.outputWriter().append('\n').flush();
        Set<String> answers = here.call();

        assertThat(answers).hasSize(1);
        assertThat(Rush.read(there)).isEqualTo(String.join("\n", answers));
        assertThat(there.waitFor()).isZero();
        assertThat(till.charges(Call.of(Key.of("payments", id), Fingerprint.of("500 EUR"))))
                .isEqualTo(1);
    }

    private static void awaitLine(InputStream in) throws IOException {
        for (int c = in.read(); c != '\n'; c = in.read()) {
            assertThat(c).as("the other process has died").isNotEqualTo(-1);
        }
    }

    @Test
    void aPoolOfOneConnectionIsEnough() throws Exception {
        try (HikariDataSource one = Pools.ofOne(pool.getJdbcUrl(), user(), "")) {
            Engine leased =
                    Engine.on(JdbcStore.on(one)).with(Operation.named("charge").waitWhenBusy(Duration.ofMinutes(1)));
            Till joined = new Till(one);
            Call first = Till.newCall();
            Call second = Till.newCall();
            List<Future<Outcome<String>>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(threads.submit(() -> leased.run(first, Till.UTF8, attempt -> "charged")));
                all.add(threads.submit(() -> joined.charge(second)));
            }

            for (Future<Outcome<String>> each : all) {
                assertThat(each.get().orThrow()).isEqualTo("charged");
            }
            assertThat(till.charges(second)).isEqualTo(1);
        }
    }

    @Test
    void aLeasedStatementThatLosesADeadlockIsSaidAgain() throws Exception {
        Admin admin = Admin.of(pool);
        admin.execute("CREATE TABLE gate (id INTEGER PRIMARY KEY, passed INTEGER)");
        admin.execute("INSERT INTO gate VALUES (1, 0), (2, 0)");
        try (HikariDataSource doomed = Pools.of(pool.getJdbcUrl() + doom(), user(), "");
                Connection usher = pool.getConnection();
                Connection rival = pool.getConnection()) {
            Overheard database = new Overheard(doomed);
            JdbcStore store = JdbcStore.on(database.source());
            Call call = Till.newCall();
            Claim.Granted granted = (Claim.Granted) store.claim(call, "holder", Duration.ofMinutes(1));
            for (String sql : gated()) {
                admin.execute(sql);
            }
            shut(usher, 1);
            spare(rival);
            shut(rival, 2);
            Settlement done = new Settlement.Complete(new byte[] {1}, Retention.DEFAULT);

            // It has the slot and waits at the first gate; the rival has the second gate and waits for the slot.
            Future<Boolean> settled = threads.submit(() -> store.settle(call.key(), "holder", granted.fence(), done));
            admin.awaitWaiters(1, "UPDATE gate");
            Future<Integer> met = threads.submit(() -> update(rival, "UPDATE semel_slot SET attempts = attempts"));
            admin.awaitWaiters(waiters(), "UPDATE semel_slot");
            usher.rollback();
            met.get();
            rival.rollback();

            assertThat(settled.get()).isTrue();
            // Said again, it may be faster than the rival and lose once more.
            assertThat(database.refused())
                    .isNotEmpty()
                    .allSatisfy(e ->
                            assertThat(admin.dialect().sql().isSafeToRepeat(e)).isTrue());
            assertThat(store.peek(call.key())).get().isInstanceOf(Claim.Settled.class);
        } finally {
            admin.execute(ungated());
        }
    }

    private static void shut(Connection connection, int gate) throws SQLException {
        connection.setAutoCommit(false);
        update(connection, "UPDATE gate SET passed = 1 WHERE id = " + gate);
    }

    private static int update(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** What to add to the address so that of two sessions that wait for each other this one loses. */
    abstract String doom();

    /** Makes sure that this session is not the one that loses. */
    abstract void spare(Connection connection) throws SQLException;

    /** Makes every settle, once its slot is changed, go through the first and then the second row of the table gate. */
    abstract List<String> gated();

    abstract String ungated();

    /** As how many two sessions that wait are seen. */
    abstract int waiters();

    @Test
    void aStatementThatTakesTooLongIsNoAnswerAndNothingRuns() throws Exception {
        Call call = Till.newCall();
        try (HikariDataSource impatient = Pools.of(pool.getJdbcUrl() + impatience(), user(), "");
                Connection other = pool.getConnection()) {
            Engine leased = Engine.on(JdbcStore.on(impatient));
            Till joined = new Till(impatient);
            lock(other);
            assertThatThrownBy(() -> leased.run(call, Till.UTF8, attempt -> "never"))
                    .isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> joined.charge(call)).isInstanceOf(StoreException.class);
            unlock(other);

            assertThat(joined.charge(call)).isEqualTo(new Done<>("charged", false));
        }
    }
}
