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
import io.semel.StoreException;
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
