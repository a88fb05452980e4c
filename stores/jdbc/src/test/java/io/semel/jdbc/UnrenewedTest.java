// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.LeaseLost;
import io.semel.Operation;
import io.semel.Outcome.Done;
import io.semel.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attempts of a transacting store that their engine has left, or cannot renew, end with their lease (E12). */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class UnrenewedTest {

    private static final Operation BRIEF = Operation.named("charge").lease(Duration.ofMillis(100));

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anAttemptThatItsEngineLeavesIsRolledBackAndItsConnectionGivenBack(Dialect dialect) throws SQLException {
        try (HikariDataSource database = fresh(dialect, "left")) {
            Till till = new Till(database);
            TransactingStore store = TransactingStore.on(database);
            Call call = Till.newCall();

            leave(store, call);
            awaitLent(0, database);

            assertThat(TransactingStoreContract.engine(store)
                            .run(call, Till.UTF8, TransactingStoreContract.charging(store, call)))
                    .isEqualTo(new Done<>("charged", false));
            assertThat(till.charges(call)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void workThatIsNotRenewedIsRolledBackAndChangesNothingLater(Dialect dialect) throws SQLException {
        try (HikariDataSource database = fresh(dialect, "unrenewed")) {
            Till till = new Till(database);
            TransactingStore store = TransactingStore.on(database);
            Call call = Till.newCall();

            assertThatThrownBy(() -> Engine.on(store, renewingNothing())
                            .with(BRIEF)
                            .run(call, Till.UTF8, attempt -> {
                                Connection connection = store.connection(attempt);
                                Till.insert(connection, call);
                                awaitLent(0, database);
                                assertThat(connection.isClosed()).isTrue();
                                assertThatThrownBy(() -> Till.insert(connection, call))
                                        .isInstanceOf(SQLException.class)
                                        .hasMessageContaining("has ended");
                                return "charged";
                            }))
                    .isInstanceOf(LeaseLost.class);
            assertThat(till.charges(call)).isZero();
            assertThat(TransactingStoreContract.engine(store)
                            .run(call, Till.UTF8, TransactingStoreContract.charging(store, call)))
                    .isEqualTo(new Done<>("charged", false));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void workThatIsRenewedMayTakeManyLeases(Dialect dialect) throws SQLException {
        try (HikariDataSource database = fresh(dialect, "renewed_by_work")) {
            Till till = new Till(database);
            TransactingStore store = TransactingStore.on(database);
            Renewals renewals = new Renewals(store);
            Call call = Till.newCall();

            assertThat(Engine.on(renewals).with(BRIEF).run(call, Till.UTF8, attempt -> {
                        renewals.await(75, call.key());
                        Till.insert(store.connection(attempt), call);
                        return "charged";
                    }))
                    .isEqualTo(new Done<>("charged", false));
            assertThat(till.charges(call)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aConnectionThatHangsIsCutAndHoldsUpNoOther(Dialect dialect) throws Exception {
        try (HikariDataSource database = fresh(dialect, "hanging")) {
            CountDownLatch seen = new CountDownLatch(1);
            TransactingStore store = TransactingStore.on(firstHanging(database, seen));

            for (int i = 0; i < 3; i++) {
                leave(store, Till.newCall());
            }
            awaitLent(1, database);
            seen.countDown();
            awaitLent(0, database);
        }
    }

    /** The rollback of the first transaction hangs until its connection is cut, and that until it was seen to hang. */
    private static DataSource firstHanging(DataSource database, CountDownLatch seen) {
        AtomicInteger begun = new AtomicInteger();
        return Proxies.proxy(DataSource.class, (asked, none) -> {
            Connection real = database.getConnection();
            CountDownLatch cut = new CountDownLatch(1);
            AtomicBoolean hangs = new AtomicBoolean();
            return Proxies.proxy(Connection.class, (method, given) -> {
                String name = method.getName();
                if (name.equals("setAutoCommit") && given[0].equals(false)) {
                    hangs.set(begun.getAndIncrement() == 0);
                } else if (name.equals("rollback") && hangs.get()) {
                    cut.await();
                } else if (name.equals("abort") && hangs.get()) {
                    seen.await();
                    cut.countDown();
                }
                return method.invoke(real, given);
            });
        });
    }

    /** For want of a thread its engine cannot watch it. */
    private static void leave(TransactingStore store, Call call) {
        Engine engine = Engine.on(store, watchingNothing()).with(BRIEF);
        assertThatThrownBy(() -> engine.run(call, Till.UTF8, attempt -> "never"))
                .isInstanceOf(OutOfMemoryError.class);
    }

    private static Time watchingNothing() {
        return time(() -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
    }

    private static Time renewingNothing() {
        return time(() -> {});
    }

    private static Time time(Runnable scheduling) {
        Time system = Time.system();
        return Proxies.proxy(Time.class, (method, given) -> {
            if (method.getName().equals("schedule")) {
                scheduling.run();
                return null;
            }
            return method.invoke(system, given);
        });
    }

    private static HikariDataSource fresh(Dialect dialect, String name) {
        HikariDataSource database = Pools.fresh(dialect, name);
        Schema.create(database);
        return database;
    }

    private static void awaitLent(int connections, HikariDataSource database) {
        while (database.getHikariPoolMXBean().getActiveConnections() != connections) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as("this took too long")
                    .isFalse();
            LockSupport.parkNanos(5_000_000);
        }
    }
}
