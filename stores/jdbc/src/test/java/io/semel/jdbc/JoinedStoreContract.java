// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.Rejection;
import io.semel.WhenAbandoned;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store joined to the caller's transaction promises, on a real database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
abstract class JoinedStoreContract {

    private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

    final ExecutorService threads = Executors.newCachedThreadPool();
    Till till;
    /** The same in another process. */
    Till elsewhere;

    Admin admin;

    abstract DataSource database();

    @BeforeAll
    void createTables() {
        Schema.create(database());
        admin = Admin.of(database());
        till = new Till(database());
        elsewhere = new Till(database());
    }

    @AfterAll
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void theRecordAndTheEffectCommitTogether() throws Exception {
        Call call = Till.newCall();

        assertThat(till.charge(call)).isEqualTo(new Done<>("charged", false));
        assertThat(till.charge(call)).isEqualTo(new Done<>("charged", true));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void aRollbackUndoesTheRecordAndTheEffectTogether() throws Exception {
        Call call = Till.newCall();
        try (Connection connection = till.begin()) {
            till.charge(connection, call);
            connection.rollback();
        }

        assertThat(till.charges(call)).isZero();
        assertThat(till.charge(call)).isEqualTo(new Done<>("charged", false));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void aConnectionThatIsLostUndoesTheRecordAndTheEffectTogether() throws Exception {
        Call call = Till.newCall();
        Connection connection = till.begin();
        till.charge(connection, call);
        admin.kill(connection);

        // The server may notice only later that the session is dead.
        assertThat(till.inTransaction(other -> till.chargeInTheEnd(other, call)))
                .isEqualTo(new Done<>("charged", false));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void workThatThrowsLeavesTheKeyFreeEvenIfItsCallerCommits() throws Exception {
        Call call = Till.newCall();
        try (Connection connection = till.begin()) {
            assertThatThrownBy(() -> till.engine.run(call, Till.UTF8, attempt -> {
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            connection.commit();
        }

        assertThat(JdbcStore.on(database()).peek(call.key())).isEmpty();
        assertThat(till.charge(call)).isEqualTo(new Done<>("charged", false));
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatch() throws Exception {
        Call call = Till.newCall();
        till.charge(call);
        Call other = Call.of(call.key(), Fingerprint.of("other"));

        assertThat(till.charge(other)).isEqualTo(new Refused<>(Reason.MISMATCH));
    }

    @Test
    void aDuplicateIsToldBusyAtOnce() throws Exception {
        Call call = Till.newCall();
        try (Connection connection = till.begin()) {
            till.charge(connection, call);
            Outcome<String> duplicate =
                    threads.submit(() -> elsewhere.charge(call)).get(5, TimeUnit.SECONDS);

            assertThat(duplicate).isInstanceOf(Outcome.Busy.class);
            connection.commit();
        }
        assertThat(elsewhere.charge(call)).isEqualTo(new Done<>("charged", true));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDuplicateWaitsIfItsOperationDoesAndGetsTheAnswerOrRuns(boolean commits) throws Exception {
        Call call = Till.newCall();
        Future<Outcome<String>> duplicate;
        try (Connection connection = till.begin()) {
            assertThat(till.charge(connection, call)).isEqualTo(new Done<>("charged", false));
            duplicate = threads.submit(() -> elsewhere.inTransaction(second -> elsewhere.chargeInTheEnd(second, call)));
            elsewhere.store.await(1, call.key());
            assertThat(duplicate.isDone()).isFalse();
            if (commits) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }

        assertThat(duplicate.get()).isEqualTo(new Done<>("charged", commits));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void duplicatesThatWaitLeaveMostConnectionsToOthers() throws Exception {
        Call call = Till.newCall();
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Future<Outcome<String>> first = threads.submit(() -> till.inTransaction(connection -> {
            Outcome<String> outcome = till.charge(connection, call);
            runs.countDown();
            await(mayEnd);
            return outcome;
        }));
        await(runs);
        List<Future<Outcome<String>>> duplicates = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            duplicates.add(threads.submit(() -> till.inTransaction(second -> till.chargeInTheEnd(second, call))));
        }
        till.store.await(4, call.key());

        while (duplicates.stream().filter(Future::isDone).count() < 11) {
            Thread.onSpinWait();
        }
        List<Future<Outcome<String>>> told =
                duplicates.stream().filter(Future::isDone).toList();
        List<Future<Outcome<String>>> waiting =
                duplicates.stream().filter(each -> !each.isDone()).toList();
        mayEnd.countDown();

        assertThat(first.get()).isEqualTo(new Done<>("charged", false));
        assertThat(told).hasSize(11).allSatisfy(each -> assertThat(each.get()).isInstanceOf(Outcome.Busy.class));
        assertThat(waiting)
                .hasSize(4)
                .allSatisfy(each -> assertThat(each.get()).isEqualTo(new Done<>("charged", true)));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aRetryIsAnsweredBeforeItsTransactionIsBegun() throws Exception {
        Call call = Till.newCall();
        Engine looking = Engine.on(JoinedStore.on(() -> null, database()));

        assertThat(looking.peek(call, Till.UTF8)).isEmpty();
        till.charge(call);
        assertThat(looking.peek(call, Till.UTF8)).contains(new Done<>("charged", true));
        assertThat(looking.peek(Call.of(call.key(), Fingerprint.of("other")), Till.UTF8))
                .contains(new Refused<>(Reason.MISMATCH));
    }

    @Test
    void aDuplicateInTheSameProcessIsToldBusyBeforeItsTransactionIsBegun() throws Exception {
        Call call = Till.newCall();
        Engine engine = Engine.on(JoinedStore.on(CURRENT::get, database()));
        try (Connection connection = database().getConnection()) {
            connection.setAutoCommit(false);
            CURRENT.set(connection);
            engine.run(call, Till.UTF8, attempt -> {
                assertThat(threads.submit(() -> engine.peek(call, Till.UTF8)).get())
                        .containsInstanceOf(Outcome.Busy.class);
                return "charged";
            });
            connection.commit();
        }
        CURRENT.remove();
        assertThat(engine.peek(call, Till.UTF8)).contains(new Done<>("charged", true));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void ofManyAtOnceOneChargesAndAllGetItsAnswer(int isolation) throws Exception {
        Call call = Till.newCall();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Outcome<String>>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(threads.submit(() -> {
                start.await();
                return till.untilItCommits(isolation, connection -> till.charge(connection, call));
            }));
        }
        start.countDown();

        for (Future<Outcome<String>> each : all) {
            assertThat(each.get().orThrow()).isEqualTo("charged");
        }
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void withoutATransactionItSaysWhatToDo() throws Exception {
        try (Connection connection = database().getConnection()) {
            connection.setAutoCommit(true);
            till.use(connection);

            assertThatThrownBy(() -> till.engine.run(Till.newCall(), Till.UTF8, attempt -> "never"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)")
                    .hasMessageContaining("@Transactional");
        }
    }

    @Test
    void withoutAConnectionItSaysWhatToDo() {
        till.use(null);

        assertThatThrownBy(() -> till.engine.run(Till.newCall(), Till.UTF8, attempt -> "never"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("gave no connection")
                .hasMessageContaining("@Transactional");
    }

    @Test
    void afterARollbackOneOfAllWhoWaitChargesAndTheOthersGetItsAnswer() throws Exception {
        Call call = Till.newCall();
        List<Future<Outcome<String>>> all = new ArrayList<>();
        try (Connection connection = till.begin()) {
            till.charge(connection, call);
            for (int i = 0; i < 4; i++) {
                all.add(threads.submit(() -> till.untilItCommits(
                        Connection.TRANSACTION_READ_COMMITTED, second -> till.chargeInTheEnd(second, call))));
            }
            till.store.await(4, call.key());
            connection.rollback();
        }

        for (Future<Outcome<String>> each : all) {
            assertThat(each.get().orThrow()).isEqualTo("charged");
        }
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void whoIsToldBusyGoesOnWithItsTransaction() throws Exception {
        Call call = Till.newCall();
        Call earlier = Till.newCall();
        Call later = Till.newCall();
        try (Connection connection = till.begin()) {
            till.charge(connection, call);
            Outcome<String> told = threads.submit(() -> till.inTransaction(second -> {
                        till.charge(second, earlier);
                        Outcome<String> outcome = elsewhere.charge(second, call);
                        till.charge(second, later);
                        return outcome;
                    }))
                    .get();

            assertThat(told).isInstanceOf(Outcome.Busy.class);
            connection.commit();
        }

        assertThat(till.charge(call)).isEqualTo(new Done<>("charged", true));
        assertThat(till.charges(earlier)).isEqualTo(1);
        assertThat(till.charges(later)).isEqualTo(1);
    }

    @Test
    void aRejectionIsRecordedWithTheTransaction() throws Exception {
        Call call = Till.newCall();
        try (Connection connection = till.begin()) {
            assertThatThrownBy(() -> till.chargeAndReject(connection, call)).isEqualTo(Till.NO_FUNDS);
            connection.commit();
        }

        assertThatThrownBy(() -> till.charge(call))
                .isInstanceOfSatisfying(
                        Rejection.class, again -> assertThat(again.replayed()).isTrue());
    }

    @Test
    void aRejectionThatUndidTheEffectIsRecordedInATransactionOfItsOwn() throws Exception {
        Call call = Till.newCall();
        try (Connection connection = till.begin()) {
            assertThatThrownBy(() -> till.chargeAndReject(connection, call)).isEqualTo(Till.NO_FUNDS);
            connection.rollback();
        }
        try (Connection connection = till.begin()) {
            assertThatThrownBy(() -> till.engine.run(call, Till.UTF8, attempt -> {
                        throw Till.NO_FUNDS;
                    }))
                    .isEqualTo(Till.NO_FUNDS);
            connection.commit();
        }

        assertThatThrownBy(() -> till.charge(call))
                .isInstanceOfSatisfying(
                        Rejection.class, again -> assertThat(again.replayed()).isTrue());
        assertThat(till.charges(call)).isZero();
    }

    @Test
    void oneTransactionMayMakeManyCalls() throws Exception {
        Call first = Till.newCall();
        Call second = Till.newCall();
        till.inTransaction(connection -> {
            till.charge(connection, first);
            return till.charge(connection, second);
        });

        assertThat(till.charge(first)).isEqualTo(new Done<>("charged", true));
        assertThat(till.charge(second)).isEqualTo(new Done<>("charged", true));
    }

    @Test
    void theSameCallAgainInTheSameTransactionIsAnswered() throws Exception {
        Call call = Till.newCall();
        Outcome<String> again = till.inTransaction(connection -> {
            till.charge(connection, call);
            return till.charge(connection, call);
        });

        assertThat(again).isEqualTo(new Done<>("charged", true));
        assertThat(till.charges(call)).isEqualTo(1);
    }

    @Test
    void whatALeasedHolderAbandonedMayBeTakenOver() throws Exception {
        Call call = Till.newCall();
        Store leased = JdbcStore.on(database());
        Claim.Granted lost = (Claim.Granted) leased.claim(call, "lost", Duration.ofMinutes(1));
        assertThat(till.charge(call)).isInstanceOf(Outcome.Busy.class);
        leased.settle(call.key(), "lost", lost.fence(), new Settlement.Renew(Duration.ZERO));

        Engine rerunning = till.engine.with(till.engine.operation().whenAbandoned(WhenAbandoned.rerun()));
        Outcome<String> fence = till.inTransaction(
                connection -> rerunning.run(call, Till.UTF8, attempt -> String.valueOf(attempt.fence())));
        assertThat(Long.parseLong(fence.orThrow())).isGreaterThan(lost.fence());
    }
}
