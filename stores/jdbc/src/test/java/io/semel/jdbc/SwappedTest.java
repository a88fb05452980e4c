// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.OutcomeUnknown;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.fault.Wire.Moment;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That a connection is alive after a commit that failed proves nothing: it may be another one by then. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SwappedTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final Call call = Till.newCall();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aCommitThatWasAppliedIsFound(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "swapped_after");
                Swapped swapped = new Swapped(database)) {
            Till till = till(database);
            TransactingStore store = TransactingStore.on(swapped.source());
            swapped.swapAt(Moment.AFTER);

            assertThat(charge(store)).isEqualTo(new Done<>("charged", false));
            assertThat(runs).hasValue(1);
            assertThat(till.charges(call)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aCommitThatMayStillArriveIsUnknown(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "swapped_before");
                Swapped swapped = new Swapped(database)) {
            Till till = till(database);
            TransactingStore store = TransactingStore.on(swapped.source());
            swapped.swapAt(Moment.BEFORE);

            assertThatThrownBy(() -> charge(store)).isInstanceOf(OutcomeUnknown.class);
            swapped.arrive();
            assertThat(charge(store)).isEqualTo(new Done<>("charged", true));
            assertThat(runs).hasValue(1);
            assertThat(till.charges(call)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aCommitThatNeverArrivesRunsAgain(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "swapped_killed");
                Swapped swapped = new Swapped(database)) {
            Till till = till(database);
            TransactingStore store = TransactingStore.on(swapped.source());
            swapped.swapAndKillAt(Moment.BEFORE);

            assertThat(charge(store)).isEqualTo(new Done<>("charged", false));
            assertThat(runs).hasValue(2);
            assertThat(till.charges(call)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void workWhoseConnectionWasReplacedInTheMiddleIsUnknownAndNotRunAgain(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "swapped_silently");
                Swapped swapped = new Swapped(database)) {
            Till till = till(database);
            TransactingStore store = TransactingStore.on(swapped.source());

            assertThatThrownBy(() -> chargeWhileSwapped(store, swapped))
                    .isInstanceOf(OutcomeUnknown.class)
                    .cause()
                    .hasMessageContaining("its connection was replaced by another one");
            assertThat(runs).hasValue(1);
            assertThat(till.charges(call)).isZero();
            assertThat(charge(store)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void theSameHoldsOfAKeyThatWasReleasedBefore(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "swapped_released");
                Swapped swapped = new Swapped(database)) {
            Till till = till(database);
            JdbcStore leased = JdbcStore.on(database);
            Claim.Granted granted = (Claim.Granted) leased.claim(call, "holder", Duration.ofMinutes(1));
            leased.settle(call.key(), "holder", granted.fence(), new Settlement.Release());
            TransactingStore store = TransactingStore.on(swapped.source());

            assertThatThrownBy(() -> chargeWhileSwapped(store, swapped))
                    .isInstanceOf(OutcomeUnknown.class)
                    .cause()
                    .hasMessageContaining("its connection was replaced by another one");
            assertThat(runs).hasValue(1);
            assertThat(till.charges(call)).isZero();
            assertThat(charge(store)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        }
    }

    private Outcome<String> chargeWhileSwapped(TransactingStore store, Swapped swapped) throws SQLException {
        return Engine.on(store).run(call, Till.UTF8, attempt -> {
            String charged = TransactingStoreContract.charging(store, call).run(attempt);
            runs.incrementAndGet();
            swapped.swapSilently();
            return charged;
        });
    }

    private static Till till(HikariDataSource database) {
        Schema.create(database);
        return new Till(database);
    }

    private Outcome<String> charge(TransactingStore store) throws SQLException {
        return Engine.on(store).run(call, Till.UTF8, attempt -> {
            runs.incrementAndGet();
            return TransactingStoreContract.charging(store, call).run(attempt);
        });
    }
}
