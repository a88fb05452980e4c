// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Purging beside others who are at the same rows. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class PurgeTest {

    private static final long HOUR = 3_600_000_000L;

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void purgingWaitsForNobody(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "purged");
                Connection other = database.getConnection()) {
            Schema.create(database);
            JdbcStore store = JdbcStore.on(database);
            Engine engine = Engine.on(store)
                    .with(Operation.named("charge").retention(Duration.ofMinutes(1), Duration.ofMinutes(1)));
            Call touched = Till.newCall();
            engine.run(touched, Till.UTF8, attempt -> "charged");
            engine.run(Till.newCall(), Till.UTF8, attempt -> "charged");

            Elapsing.elapse(database, Duration.ofMinutes(1));
            lock(other, dialect, touched.key());
            assertThat(store.purge(10))
                    .as("results of rows that nobody has locked")
                    .isEqualTo(1);
            other.rollback();
            assertThat(store.purge(10)).as("the result of the row that was").isEqualTo(1);

            Elapsing.elapse(database, Duration.ofMinutes(1));
            lock(other, dialect, touched.key());
            assertThat(store.purge(10)).as("rows that nobody has locked").isEqualTo(1);
            other.rollback();
            assertThat(store.purge(10)).as("the row that was").isEqualTo(1);
        }
    }

    /** A fence is a time; rows that were written while the clock was an hour ahead are as if it had been set back since. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theFenceOfAFreeSlotRisesAfterAPurgeAndAClockThatWasSetBack(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "fences")) {
            Schema.create(database);
            JdbcStore store = JdbcStore.on(database);
            Call released = Till.newCall();
            Call amended = Till.newCall();
            long first = granted(store, released);
            long second = granted(store, amended);
            store.settle(released.key(), "holder", first, new Settlement.Release());
            byte[] unknown = {1, 3};
            store.settle(amended.key(), "holder", second, new Settlement.Complete(unknown, Retention.UNENDING));
            assertThat(store.amend(amended.key(), unknown, new Settlement.Release()))
                    .isTrue();
            Admin.of(database).execute("UPDATE semel_slot SET fence = fence + 3600000000, until = until + 3600000000");

            store.purge(10);

            assertThat(granted(store, released)).isGreaterThan(first + HOUR);
            assertThat(granted(store, amended)).isGreaterThan(second + HOUR);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aFreeSlotIsForgottenAfterADay(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "free")) {
            Schema.create(database);
            JdbcStore store = JdbcStore.on(database);
            Call call = Till.newCall();
            store.settle(call.key(), "holder", granted(store, call), new Settlement.Release());
            assertThat(store.purge(10)).isZero();

            Elapsing.elapse(database, Duration.ofDays(1));

            assertThat(store.purge(10)).isEqualTo(1);
            assertThat(Admin.of(database).number("SELECT COUNT(*) FROM semel_slot"))
                    .isZero();
        }
    }

    private static long granted(JdbcStore store, Call call) {
        return ((Claim.Granted) store.claim(call, "holder", Duration.ofMinutes(1))).fence();
    }

    private static void lock(Connection connection, Dialect dialect, Key key) throws SQLException {
        connection.setAutoCommit(false);
        try (var lock = connection.prepareStatement("SELECT fence FROM semel_slot WHERE id = ? FOR UPDATE")) {
            lock.setObject(1, dialect.sql().binary16(key.hash()));
            lock.executeQuery();
        }
    }
}
