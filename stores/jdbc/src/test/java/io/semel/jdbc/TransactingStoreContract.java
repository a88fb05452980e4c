// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.StoreException;
import io.semel.Work;
import io.semel.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store that commits by itself promises, on a real database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TransactingStoreContract {

    final ExecutorService threads = Executors.newCachedThreadPool();
    Till till;
    TransactingStore store;
    Engine engine;

    abstract DataSource database();

    /** The same database, through a pool that has one connection. */
    abstract DataSource withOneConnection();

    /** Whether a duplicate in another process is held off before it runs. */
    boolean locks() {
        return true;
    }

    TransactingStore store(DataSource source) {
        return TransactingStore.on(source);
    }

    @BeforeAll
    void createTables() {
        Schema.create(database());
        till = new Till(database());
        store = store(database());
        engine = engine(store);
    }

    @AfterAll
    void stopThreads() {
        threads.shutdownNow();
    }

    static Engine engine(Store store) {
        return Engine.on(store)
                .with(Operation.named("charge").demand(Level.JOINED).waitWhenBusy(Duration.ofSeconds(60)));
    }

    static Work<String, SQLException> charging(TransactingStore store, Call call) {
        return attempt -> {
            Till.insert(store.connection(attempt), call);
            return "charged";
        };
    }

    Outcome<String> charge(Call call) throws SQLException {
        return engine.run(call, Till.UTF8, charging(store, call));
    }

    @Test
    void theRecordAndTheEffectCommitTogether() throws Exception {
        Call call = Till.newCall();

        assertThat(charge(call)).isEqualTo(new Done<>("charged", false));
        assertThat(till.charges(call)).isEqualTo(1);
        assertThat(charge(call)).isEqualTo(new Done<>("charged", true));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void workThatThrowsIsRolledBackAndMayRunAgain() throws Exception {
        Call call = Till.newCall();
        SQLException failure = new SQLException("The printer is out of paper.");

        assertThatThrownBy(() -> engine.run(call, Till.UTF8, attempt -> {
                    Till.insert(store.connection(attempt), call);
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(till.charges(call)).isZero();
        assertThat(charge(call)).isEqualTo(new Done<>("charged", false));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void aRejectionIsRecordedWhileItsEffectIsRolledBack() throws Exception {
        Call call = Till.newCall();

        assertThatThrownBy(() -> engine.run(call, Till.UTF8, attempt -> {
                    Till.insert(store.connection(attempt), call);
                    throw Till.NO_FUNDS;
                }))
                .hasMessage(Till.NO_FUNDS.getMessage());
        assertThat(till.charges(call)).isZero();
        assertThatThrownBy(() -> charge(call)).hasMessage(Till.NO_FUNDS.getMessage());
        assertThat(till.charges(call)).isZero();
    }

    @Test
    void theAgeOfADatedKeyIsAskedForOnTheConnectionThatTheGrantKeeps() throws Exception {
        TransactingStore narrow = store(withOneConnection());
        Call fresh = Till.newCall().firstSentAt(narrow.now());

        assertThat(engine(narrow).run(fresh, Till.UTF8, charging(narrow, fresh)))
                .isEqualTo(new Done<>("charged", false));
        assertThat(till.charges(fresh)).isEqualTo(1);
    }

    @Test
    void duplicatesInOneProcessNeedNoSecondConnection() throws Exception {
        TransactingStore narrow = store(withOneConnection());
        Engine narrowEngine = engine(narrow);
        Call call = Till.newCall();

        assertThat(rush(20, i -> narrowEngine.run(call, Till.UTF8, charging(narrow, call))))
                .allSatisfy(outcome -> assertThat(outcome.orThrow()).isEqualTo("charged"));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void aStormOfRetriesBeginsNoTransactions() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        DataSource counted = Proxies.proxy(DataSource.class, (asked, none) -> {
            Connection real = database().getConnection();
            return Proxies.proxy(Connection.class, (method, given) -> {
                boolean begins = method.getName().equals("setAutoCommit") && given[0].equals(false);
                begun.addAndGet(begins ? 1 : 0);
                return method.invoke(real, given);
            });
        });
        TransactingStore watched = store(counted);
        Engine watchedEngine = engine(watched);
        Call call = Till.newCall();
        watchedEngine.run(call, Till.UTF8, charging(watched, call));
        watchedEngine.run(call, Till.UTF8, charging(watched, call));
        begun.set(0);

        assertThat(rush(20, i -> watchedEngine.run(call, Till.UTF8, charging(watched, call))))
                .allSatisfy(outcome -> assertThat(outcome).isEqualTo(new Done<>("charged", true)));
        assertThat(begun).hasValue(0);
    }

    @Test
    void duplicatesInTwoProcessesHappenOnce() throws Exception {
        TransactingStore other = store(database());
        Engine otherEngine = engine(other);
        for (int round = 0; round < 20; round++) {
            Call call = Till.newCall();

            List<Outcome<String>> outcomes = rush(
                    8,
                    i -> i % 2 == 0
                            ? engine.run(call, Till.UTF8, charging(store, call))
                            : otherEngine.run(call, Till.UTF8, charging(other, call)));

            assertThat(outcomes)
                    .allSatisfy(outcome -> assertThat(outcome.orThrow()).isEqualTo("charged"));
            assertThat(till.charges(call)).isEqualTo(1);
        }
    }

    @Test
    void afterARollbackOneOfAllProcessesThatWaitChargesAndTheOthersGetItsAnswer() throws Exception {
        Call call = Till.newCall();
        List<Future<Outcome<String>>> all = new ArrayList<>();
        try (Connection connection = till.begin()) {
            till.charge(connection, call);
            for (int i = 0; i < 4; i++) {
                TransactingStore other = store(database());
                HeldOff told = new HeldOff(other);
                all.add(threads.submit(() -> engine(told).run(call, Till.UTF8, charging(other, call))));
                if (locks()) {
                    told.await(1, call.key());
                }
            }
            if (!locks()) {
                Admin.of(database()).awaitWaiters(4);
            }
            connection.rollback();
        }

        for (Future<Outcome<String>> each : all) {
            assertThat(each.get().orThrow()).isEqualTo("charged");
        }
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void whatAnotherTransactionKeepsIsFoundByThisStore() throws Exception {
        Call call = Till.newCall();
        till.charge(call);

        assertThat(charge(call)).isEqualTo(new Done<>("charged", true));
        assertThat(JdbcStore.on(database()).look(call.key())).isPresent();
    }

    @Test
    void workCannotEndTheTransactionThatIsNotItsOwn() throws Exception {
        Call call = Till.newCall();

        engine.run(call, Till.UTF8, attempt -> {
            Connection connection = store.connection(attempt);
            Till.insert(connection, call);
            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("commits when its work returns");
            assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(SQLException.class);
            connection.close();
            assertThat(connection.isClosed()).isFalse();
            connection.rollback(connection.setSavepoint());
            return "charged";
        });

        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void anAttemptThatHasEndedHasNoConnectionAnyMore() throws Exception {
        AtomicReference<Attempt> ended = new AtomicReference<>();
        engine.run(Till.newCall(), Till.UTF8, attempt -> {
            ended.set(attempt);
            return "nothing";
        });

        assertThatThrownBy(() -> store.connection(ended.get()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no transaction in this store");
    }

    @Test
    void connectionsComeBackAsTheyWere() throws Exception {
        DataSource narrow = withOneConnection();
        TransactingStore only = store(narrow);
        Engine onlyEngine = engine(only);
        for (int i = 0; i < 5; i++) {
            Call call = Till.newCall();
            onlyEngine.run(call, Till.UTF8, charging(only, call));
            onlyEngine.run(call, Till.UTF8, charging(only, call));
        }

        try (Connection connection = narrow.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionComesBackWithTheAutocommitThatItCameWith(boolean autocommit) throws Exception {
        Call call = Till.newCall();
        try (Connection only = database().getConnection()) {
            only.setAutoCommit(autocommit);
            TransactingStore single = store(lending(only));
            engine(single).run(call, Till.UTF8, charging(single, call));

            assertThat(only.getAutoCommit()).isEqualTo(autocommit);
        }
        assertThat(till.charges(call)).isEqualTo(1);
    }

    /** Without a pool that would put things right. */
    private static DataSource lending(Connection only) {
        return Proxies.proxy(
                DataSource.class,
                (asked, none) -> Proxies.proxy(
                        Connection.class,
                        (method, given) -> method.getName().equals("close") ? null : method.invoke(only, given)));
    }

    @Test
    void aConnectionThatCannotBeginATransactionIsGivenBack() {
        AtomicInteger open = new AtomicInteger();
        AtomicBoolean broken = new AtomicBoolean();
        DataSource counted = Proxies.proxy(DataSource.class, (asked, none) -> {
            Connection real = database().getConnection();
            open.incrementAndGet();
            return Proxies.proxy(Connection.class, (method, given) -> {
                if (method.getName().equals("setAutoCommit") && broken.get()) {
                    throw new SQLException("It is broken.");
                }
                open.addAndGet(method.getName().equals("close") ? -1 : 0);
                return method.invoke(real, given);
            });
        });
        TransactingStore fragile = store(counted);
        broken.set(true);

        assertThatThrownBy(() -> engine(fragile).run(Till.newCall(), Till.UTF8, attempt -> "never"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("It is broken.");
        assertThat(open).hasValue(0);
    }

    /** All at once; the outcomes in the order of the numbers. */
    List<Outcome<String>> rush(int count, Caller caller) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        AtomicInteger numbers = new AtomicInteger();
        List<Future<Outcome<String>>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(threads.submit(() -> {
                start.await();
                return caller.call(numbers.getAndIncrement());
            }));
        }
        start.countDown();
        List<Outcome<String>> outcomes = new ArrayList<>();
        for (Future<Outcome<String>> each : calls) {
            outcomes.add(each.get());
        }
        return outcomes;
    }

    interface Caller {
        Outcome<String> call(int number) throws Exception;
    }
}
