// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Outcome.Done;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much is said to the database, and what that changes there. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TrafficTest {

    private static final int CALLS = 10;
    private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    @Test
    void aLeasedCallIsAStatementForItsClaimAndOneForItsAnswer() {
        try (HikariDataSource pool = Pools.fresh(Dialect.POSTGRESQL, "leased_traffic")) {
            Schema.create(pool);
            Overheard database = new Overheard(pool);
            Engine engine = Engine.on(JdbcStore.on(database.source()));
            database.said();

            engine.run(Till.newCall(), Till.UTF8, attempt -> "charged");

            assertThat(database.said()).containsExactly("INSERT", "UPDATE");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aReplayIsALook(Dialect dialect) {
        try (HikariDataSource pool = Pools.fresh(dialect, "replays")) {
            Schema.create(pool);
            Overheard database = new Overheard(pool);
            Engine engine = Engine.on(JdbcStore.on(database.source()));
            Call call = Till.newCall();
            engine.run(call, Till.UTF8, attempt -> "charged");
            // On PostgreSQL the first one is taken for a fresh call.
            engine.run(call, Till.UTF8, attempt -> "never");
            database.said();

            assertThat(engine.run(call, Till.UTF8, attempt -> "never")).isEqualTo(new Done<>("charged", true));

            assertThat(database.said()).containsExactly("SELECT");
        }
    }

    @Test
    void noReplayWritesWhateverItBeginsWith() throws SQLException {
        try (HikariDataSource pool = Pools.fresh(Dialect.POSTGRESQL, "unwritten");
                HikariDataSource one = Pools.ofOne(pool.getJdbcUrl(), pool.getUsername(), "")) {
            Schema.create(one);
            JdbcStore store = JdbcStore.on(one);
            for (int i = 0; i < CALLS; i++) {
                Engine engine = Engine.on(JdbcStore.on(one));
                Call call = Till.newCall();
                engine.run(call, Till.UTF8, attempt -> "charged");
                engine.run(call, Till.UTF8, attempt -> "never");
                engine.run(call, Till.UTF8, attempt -> "never");
                store.peek(call.key());
            }

            assertThat(written(one)).isEqualTo(new Written(CALLS, CALLS, 0));
        }
    }

    @Test
    void aJoinedCallInsertsItsRecordAndLeavesNothingDead() throws SQLException {
        try (HikariDataSource pool = Pools.fresh(Dialect.POSTGRESQL, "joined_traffic");
                HikariDataSource one = Pools.ofOne(pool.getJdbcUrl(), pool.getUsername(), "")) {
            Schema.create(one);
            Overheard database = new Overheard(one);
            Till till = new Till(database.source());
            TransactingStore store = TransactingStore.on(database.source());
            database.said();
            for (int i = 0; i < CALLS; i++) {
                till.charge(Till.newCall());
                assertThat(database.said()).containsExactly("SELECT", "INSERT", "INSERT", "COMMIT");

                Call call = Till.newCall();
                Engine.on(store).run(call, Till.UTF8, TransactingStoreContract.charging(store, call));
                // The commit goes with the record.
                assertThat(database.said()).containsExactly("SELECT", "INSERT", "INSERT");
            }

            assertThat(written(one)).isEqualTo(new Written(2 * CALLS, 0, 0));
        }
    }

    @Test
    void whatIsAskedWhileAStatementIsUnderWayGoesTogetherInTheNext() throws InterruptedException {
        try (HikariDataSource pool = Pools.fresh(Dialect.POSTGRESQL, "together")) {
            Schema.create(pool);
            Overheard database = new Overheard(pool);
            JdbcStore store = JdbcStore.on(database.source());
            List<Call> calls = Stream.generate(Till::newCall).limit(CALLS).toList();
            Claim[] claims = new Claim[CALLS];
            boolean[] applied = new boolean[CALLS];
            database.said();

            together(database, i -> claims[i] = store.claim(calls.get(i), "holder" + i, Duration.ofMinutes(1)));
            assertThat(claims).hasOnlyElementsOfType(Claim.Granted.class);
            assertThat(database.said()).containsExactly("INSERT", "INSERT");

            Settlement done = new Settlement.Complete(new byte[] {1}, Retention.of(Duration.ofDays(1), Duration.ZERO));
            together(
                    database,
                    i -> applied[i] =
                            store.settle(calls.get(i).key(), "holder" + i, ((Claim.Granted) claims[i]).fence(), done));
            assertThat(applied).doesNotContain(false);
            assertThat(database.said()).containsExactly("UPDATE", "UPDATE");
        }
    }

    /** The first is under way until all others wait for it. */
    private static void together(Overheard database, IntConsumer asking) throws InterruptedException {
        CountDownLatch obstacle = database.holdUp();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            int number = i;
            Thread thread = new Thread(() -> asking.accept(number));
            thread.start();
            threads.add(thread);
        }
        while (threads.stream().anyMatch(each -> !WAITING.contains(each.getState()))) {
            LockSupport.parkNanos(1_000_000);
        }
        obstacle.countDown();
        for (Thread each : threads) {
            each.join();
        }
    }

    /** By the only session of the pool, which keeps its counts to itself for a while. */
    private static Written written(HikariDataSource one) throws SQLException {
        Admin admin = Admin.of(one);
        admin.execute("SELECT pg_stat_force_next_flush()");
        return new Written(count(admin, "n_tup_ins"), count(admin, "n_tup_upd"), count(admin, "n_tup_del"));
    }

    private static long count(Admin admin, String what) throws SQLException {
        return admin.number("SELECT " + what + " FROM pg_stat_user_tables WHERE relname = 'semel_slot'");
    }

    private record Written(long inserted, long updated, long deleted) {}
}
