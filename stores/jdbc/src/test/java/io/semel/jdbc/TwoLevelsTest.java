// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.LeaseLost;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.Retention;
import io.semel.WhenAbandoned;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One key at two levels: a joined call commits only if nobody held its slot while it ran. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TwoLevelsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Map<Kind, Database> databases = new EnumMap<>(Kind.class);

    /** What is known of the key when the joined call looks at it. */
    enum Before {
        NOTHING,
        RELEASED,
        LAPSED
    }

    /** How a leased holder ends that came while the joined call ran. */
    enum End {
        LAPSES,
        RELEASES
    }

    enum Kind {
        POSTGRESQL,
        /** PostgreSQL whose advisory locks do nothing. */
        UNLOCKED,
        MARIADB,
        H2
    }

    private record Database(HikariDataSource pool, Till till) {

        static Database of(Kind kind) {
            HikariDataSource pool = kind == Kind.UNLOCKED
                    ? PostgresWithoutLocksTest.unlocked("two_levels_unlocked")
                    : Pools.fresh(Dialect.valueOf(kind.name()), "two_levels");
            Schema.create(pool);
            return new Database(pool, new Till(pool));
        }

        /** True if a leased holder got the key, and did what it then does. */
        private boolean comesAndGoes(String holder, Call call, End end) {
            JdbcStore leased = JdbcStore.on(pool);
            if (!(leased.claim(call, holder, MINUTE) instanceof Claim.Granted granted)) {
                return false;
            }
            Settlement last = end == End.LAPSES ? new Settlement.Renew(Duration.ZERO) : new Settlement.Release();
            assertThat(leased.settle(call.key(), holder, granted.fence(), last)).isTrue();
            return true;
        }

        private Call call(Before before) {
            Call call = Till.newCall();
            if (before != Before.NOTHING) {
                assertThat(comesAndGoes("before", call, before == Before.LAPSED ? End.LAPSES : End.RELEASES))
                        .isTrue();
            }
            return call;
        }
    }

    static Stream<Arguments> meetings() {
        return meetings(Kind.values());
    }

    static Stream<Arguments> meetingsOnPostgres() {
        return meetings(Kind.POSTGRESQL, Kind.UNLOCKED);
    }

    private static Stream<Arguments> meetings(Kind... some) {
        return Arrays.stream(some)
                .flatMap(kind -> Arrays.stream(Before.values())
                        .flatMap(before -> Arrays.stream(End.values()).map(end -> Arguments.of(kind, before, end))));
    }

    @BeforeAll
    void openAll() {
        for (Kind each : Kind.values()) {
            databases.put(each, Database.of(each));
        }
    }

    @AfterAll
    void closeAll() {
        databases.values().forEach(each -> each.pool.close());
    }

    @ParameterizedTest
    @MethodSource("meetings")
    void aTransactionOfTheCallersKeepsNothingIfALeasedHolderCameMeanwhile(Kind kind, Before before, End end)
            throws SQLException {
        Database database = databases.get(kind);
        Call call = database.call(before);
        AtomicBoolean came = new AtomicBoolean();
        Engine engine =
                database.till.engine.with(database.till.engine.operation().whenAbandoned(WhenAbandoned.rerun()));
        boolean lost = false;
        try (Connection connection = database.till.begin()) {
            try {
                engine.run(call, Till.UTF8, attempt -> {
                    Till.insert(connection, call);
                    came.set(database.comesAndGoes("meanwhile", call, end));
                    return "charged";
                });
                connection.commit();
            } catch (LeaseLost e) {
                lost = true;
                connection.rollback();
            }
        }

        assertThat(lost).isEqualTo(came.get());
        assertThat(database.till.charges(call)).isEqualTo(came.get() ? 0 : 1);
    }

    @ParameterizedTest
    @MethodSource("meetings")
    void soDoesATransactionOfTheStoresOwnAndItsCallerIsToldWhatStands(Kind kind, Before before, End end)
            throws SQLException {
        Database database = databases.get(kind);
        assertLooksAgain(database, TransactingStore.on(database.pool), database.call(before), end, Retention.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("meetings")
    void soDoesOneWhoseAnswerIsKeptForEver(Kind kind, Before before, End end) throws SQLException {
        Database database = databases.get(kind);
        assertLooksAgain(database, TransactingStore.on(database.pool), database.call(before), end, Retention.UNENDING);
    }

    @ParameterizedTest
    @MethodSource("meetingsOnPostgres")
    void soDoesOneWithoutALock(Kind kind, Before before, End end) throws SQLException {
        Database database = databases.get(kind);
        TransactingStore optimistic = TransactingStore.on(database.pool).optimistic();
        assertLooksAgain(database, optimistic, database.call(before), end, Retention.DEFAULT);
    }

    private static void assertLooksAgain(
            Database database, TransactingStore store, Call call, End end, Retention retention) throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        AtomicBoolean came = new AtomicBoolean();
        Engine engine = Engine.on(store)
                .with(Operation.named("charge")
                        .retention(retention.retention(), retention.remembrance())
                        .whenAbandoned(WhenAbandoned.rerun()));
        Outcome<String> outcome = engine.run(call, Till.UTF8, attempt -> {
            Till.insert(store.connection(attempt), call);
            if (runs.incrementAndGet() == 1) {
                came.set(database.comesAndGoes("meanwhile", call, end));
            }
            return "charged";
        });

        assertThat(outcome).isEqualTo(new Done<>("charged", false));
        assertThat(runs).hasValue(came.get() ? 2 : 1);
        assertThat(database.till.charges(call)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void whatLapsedMeanwhileIsUnknownToWhoeverDoesNotRunItAgain(Kind kind) throws SQLException {
        Database database = databases.get(kind);
        Call call = database.call(Before.RELEASED);
        AtomicBoolean came = new AtomicBoolean();
        TransactingStore store = TransactingStore.on(database.pool);
        Outcome<String> outcome = Engine.on(store).run(call, Till.UTF8, attempt -> {
            Till.insert(store.connection(attempt), call);
            came.set(database.comesAndGoes("meanwhile", call, End.LAPSES));
            return "charged";
        });

        assertThat(outcome).isEqualTo(came.get() ? new Refused<>(Reason.UNKNOWN) : new Done<>("charged", false));
        assertThat(database.till.charges(call)).isEqualTo(came.get() ? 0 : 1);
    }
}
