// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.OutcomeUnknown;
import io.semel.StoreException;
import io.semel.testkit.fault.Wire;
import io.semel.testkit.fault.Wire.Moment;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server of which nothing is heard any more, and nothing that its driver would time out, costs a transaction some seconds. */
class HangingTest {

    private static final int MOST_SECONDS = 40;
    private static final Operation BRIEF = Operation.named("charge").lease(Duration.ofMillis(100));

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger runs = new AtomicInteger();
    private final Call call = Till.newCall();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aCommitThatWasAppliedIsFoundOnAnotherConnection(Dialect dialect) throws Exception {
        try (Distant distant = Distant.of(dialect, "hanging_applied")) {
            TransactingStore store = TransactingStore.on(distant.pool);

            assertThat(inTime(() -> charge(store, () -> distant.hangAt("COMMIT", Moment.AFTER))))
                    .isEqualTo(new Done<>("charged", false));
            assertThat(runs).hasValue(1);
            assertThat(distant.till.charges(call)).isEqualTo(1);
            assertThat(distant.pool.getHikariPoolMXBean().getActiveConnections())
                    .isZero();
            assertThat(inTime(() -> charge(store, () -> {}))).isEqualTo(new Done<>("charged", true));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aCommitThatMayStillArriveIsUnknown(Dialect dialect) throws Exception {
        try (Distant distant = Distant.of(dialect, "hanging_under_way")) {
            TransactingStore store = TransactingStore.on(distant.pool);

            assertThatThrownBy(() -> inTime(() -> charge(store, () -> distant.hangAt("COMMIT", Moment.BEFORE))))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(OutcomeUnknown.class);
            assertThat(runs).hasValue(1);
            assertThat(distant.pool.getHikariPoolMXBean().getActiveConnections())
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aRollbackIsNotWaitedFor(Dialect dialect) throws Exception {
        try (Distant distant = Distant.of(dialect, "hanging_rollback")) {
            TransactingStore store = TransactingStore.on(distant.pool);

            assertThatThrownBy(() -> inTime(() -> charge(store, () -> {
                        distant.hangAt("ROLLBACK", Moment.BEFORE);
                        throw new IllegalStateException("The printer is out of paper.");
                    })))
                    .cause()
                    .hasMessage("The printer is out of paper.");
            assertThat(distant.pool.getHikariPoolMXBean().getActiveConnections())
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aClaimIsNotWaitedForAndNothingRuns(Dialect dialect) throws Exception {
        try (Distant distant = Distant.of(dialect, "hanging_claim")) {
            TransactingStore store = TransactingStore.on(distant.pool);
            distant.hangAt("semel_slot", Moment.BEFORE);

            assertThatThrownBy(() -> inTime(() -> charge(store, () -> {})))
                    .cause()
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(call.key().id());
            assertThat(runs).hasValue(0);
        }
    }

    /** On a thread of its own, because a read from a socket cannot be interrupted. */
    private Outcome<String> inTime(Charging charging) throws Exception {
        return threads.submit(charging::charge).get(MOST_SECONDS, TimeUnit.SECONDS);
    }

    private Outcome<String> charge(TransactingStore store, Runnable then) throws SQLException {
        return Engine.on(store).with(BRIEF).run(call, Till.UTF8, attempt -> {
            runs.incrementAndGet();
            Till.insert(store.connection(attempt), call);
            then.run();
            return "charged";
        });
    }

    private interface Charging {

        Outcome<String> charge() throws SQLException;
    }

    /** A database behind a network, by drivers that wait without end. */
    private record Distant(HikariDataSource direct, Wire wire, HikariDataSource pool, Till till)
            implements AutoCloseable {

        private static final Pattern PORT = Pattern.compile(":([0-9]+)/");

        static Distant of(Dialect dialect, String name) {
            HikariDataSource direct = Pools.fresh(dialect, name);
            Schema.create(direct);
            Matcher port = PORT.matcher(direct.getJdbcUrl());
            if (!port.find()) {
                throw new AssertionError("There is no port in " + direct.getJdbcUrl() + ".");
            }
            Wire wire = Wire.to(Integer.parseInt(port.group(1)));
            String url = port.replaceFirst(":" + wire.port() + "/");
            // Prepared by name, statements would not say on the wire what they are.
            String plain = dialect == Dialect.POSTGRESQL ? "&sslmode=disable&prepareThreshold=0" : "";
            HikariDataSource pool = Pools.of(url + plain, direct.getUsername(), direct.getPassword());
            return new Distant(direct, wire, pool, new Till(direct));
        }

        void hangAt(String word, Moment moment) {
            wire.failAt(word, moment, Wire.Failure.BLACK_HOLE);
        }

        @Override
        public void close() throws IOException {
            pool.close();
            wire.close();
            direct.close();
        }
    }
}
