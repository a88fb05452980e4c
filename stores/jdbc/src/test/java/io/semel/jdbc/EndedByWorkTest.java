// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Attempt;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.OutcomeUnknown;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work that ends, by a statement, the transaction that is not its own: nobody runs it again who is not told to. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EndedByWorkTest {

    private final Map<Dialect, HikariDataSource> databases = new EnumMap<>(Dialect.class);
    private final Map<Dialect, Till> tills = new EnumMap<>(Dialect.class);
    private final AtomicInteger runs = new AtomicInteger();

    @BeforeAll
    void openAll() {
        for (Dialect each : Dialect.values()) {
            HikariDataSource database = Pools.fresh(each, "ended_by_work");
            Schema.create(database);
            databases.put(each, database);
            tills.put(each, new Till(database));
        }
    }

    @BeforeEach
    void startAnew() {
        runs.set(0);
    }

    @AfterAll
    void closeAll() {
        databases.values().forEach(HikariDataSource::close);
    }

    private static void say(TransactingStore store, Attempt attempt, String sql) throws SQLException {
        try (var statement = store.connection(attempt).createStatement()) {
            statement.execute(sql);
        }
    }

    /** Charges, and ends the transaction. */
    private String chargeAnd(String end, TransactingStore store, Attempt attempt, Call call) throws SQLException {
        runs.incrementAndGet();
        Till.insert(store.connection(attempt), call);
        say(store, attempt, end);
        return "charged";
    }

    private static Call released(HikariDataSource database) {
        Call call = Till.newCall();
        JdbcStore leased = JdbcStore.on(database);
        Claim.Granted granted = (Claim.Granted) leased.claim(call, "before", Duration.ofMinutes(1));
        leased.settle(call.key(), "before", granted.fence(), new Settlement.Release());
        return call;
    }

    private void assertRefused(Dialect dialect, Call call, int charges) throws SQLException {
        assertThat(runs.getAndSet(0)).isEqualTo(1);
        assertThat(Engine.on(TransactingStore.on(databases.get(dialect))).run(call, Till.UTF8, attempt -> "again"))
                .isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(tills.get(dialect).charges(call)).isEqualTo(charges);
    }

    @Test
    void whatACommitOfItsOwnHasKeptIsUnknownOnPostgres() throws SQLException {
        HikariDataSource database = databases.get(Dialect.POSTGRESQL);
        TransactingStore store = TransactingStore.on(database);
        for (Call call : List.of(Till.newCall(), released(database))) {
            assertThatThrownBy(() ->
                            Engine.on(store).run(call, Till.UTF8, attempt -> chargeAnd("COMMIT", store, attempt, call)))
                    .isInstanceOf(OutcomeUnknown.class)
                    .hasMessageContaining(call.key().id())
                    .cause()
                    .hasMessageContaining("was ended before its work returned")
                    .hasMessageContaining("COMMIT, ROLLBACK or a statement");
            assertRefused(Dialect.POSTGRESQL, call, 1);
        }
    }

    /** The slot is committed with it, as one that is abandoned, and settled at the end. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2"})
    void aCommitOfItsOwnKeepsTheSlotTooWhereThatIsARow(Dialect dialect) throws SQLException {
        HikariDataSource database = databases.get(dialect);
        TransactingStore store = TransactingStore.on(database);
        for (Call call : List.of(Till.newCall(), released(database))) {
            assertThat(Engine.on(store).run(call, Till.UTF8, attempt -> chargeAnd("COMMIT", store, attempt, call)))
                    .isEqualTo(new Done<>("charged", false));
            assertThat(runs.getAndSet(0)).isEqualTo(1);
            assertThat(Engine.on(store).run(call, Till.UTF8, attempt -> "again"))
                    .isEqualTo(new Done<>("charged", true));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aRollbackOfItsOwnIsUnknownBecauseItMayHaveGoneOn(Dialect dialect) throws SQLException {
        TransactingStore store = TransactingStore.on(databases.get(dialect));
        Call call = Till.newCall();

        assertThatThrownBy(() -> Engine.on(store).run(call, Till.UTF8, attempt -> {
                    say(store, attempt, "ROLLBACK");
                    return chargeAnd("COMMIT", store, attempt, call);
                }))
                .isInstanceOf(OutcomeUnknown.class);
        assertRefused(dialect, call, 1);
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void whoCommitsAndThenThrowsLeavesTheKeyAbandoned(Dialect dialect) throws SQLException {
        HikariDataSource database = databases.get(dialect);
        TransactingStore store = TransactingStore.on(database);
        IllegalStateException failure = new IllegalStateException("The printer is out of paper.");
        for (Call call : List.of(Till.newCall(), released(database))) {
            assertThatThrownBy(() -> Engine.on(store).run(call, Till.UTF8, attempt -> {
                        chargeAnd("COMMIT", store, attempt, call);
                        throw failure;
                    }))
                    .isSameAs(failure);
            assertRefused(dialect, call, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void whoCommitsAndThenRejectsHasNotUndoneIt(Dialect dialect) throws SQLException {
        HikariDataSource database = databases.get(dialect);
        TransactingStore store = TransactingStore.on(database);
        for (Call call : List.of(Till.newCall(), released(database))) {
            assertThatThrownBy(() -> Engine.on(store).run(call, Till.UTF8, attempt -> {
                        chargeAnd("COMMIT", store, attempt, call);
                        throw Till.NO_FUNDS;
                    }))
                    .isInstanceOf(OutcomeUnknown.class);
            assertRefused(dialect, call, 1);
        }
    }

    @Test
    void theConnectionOfAStatementIsNoWayAround() throws SQLException {
        TransactingStore store = TransactingStore.on(databases.get(Dialect.POSTGRESQL));
        Call call = Till.newCall();

        assertThatThrownBy(() -> Engine.on(store).run(call, Till.UTF8, attempt -> {
                    runs.incrementAndGet();
                    Till.insert(store.connection(attempt), call);
                    try (var statement = store.connection(attempt).createStatement()) {
                        Connection behind = statement.getConnection();
                        behind.commit();
                    }
                    return "charged";
                }))
                .isInstanceOf(OutcomeUnknown.class);
        assertRefused(Dialect.POSTGRESQL, call, 1);
    }
}
