// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leased claims and settlements beside other transactions that have locked a key: joined calls, or an operator's session. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ContentionTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Settlement.Renew RENEW = new Settlement.Renew(Duration.ofHours(1));
    private static final Settlement.Complete DONE =
            new Settlement.Complete(new byte[] {1, 0}, Retention.of(Duration.ofDays(1), Duration.ZERO));

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aClaimDoesNotWaitForAJoinedCallAndIsNeverGrantedWithALeaseThatIsOver(Dialect dialect) throws Exception {
        try (HikariDataSource database = open(dialect, "met")) {
            JdbcStore store = JdbcStore.on(database);
            Till till = new Till(database);
            Call call = Till.newCall();
            Call fresh = Till.newCall();
            Duration brief = Duration.ofMillis(300);
            try (Connection joined = till.begin()) {
                till.charge(joined, call);

                assertThat(soon(() -> store.claim(call, "leased", brief))).isInstanceOf(Claim.Held.class);
                assertThat(soon(() -> store.claimAll(
                                List.of(new Claiming(call, "a", brief), new Claiming(fresh, "b", LEASE)))))
                        .hasExactlyElementsOfTypes(Claim.Held.class, Claim.Granted.class);
                joined.rollback();
            }

            assertThat(store.claim(call, "leased", LEASE)).isInstanceOf(Claim.Granted.class);
            assertThat(state(store, call)).isEqualTo(Slot.State.HELD);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void whoWouldTakeOverALockedSlotIsToldThatItIsHeld(Dialect dialect) throws Exception {
        try (HikariDataSource database = open(dialect, "taken_over")) {
            JdbcStore store = JdbcStore.on(database);
            Call call = Till.newCall();
            Claim.Granted lost = (Claim.Granted) store.claim(call, "lost", LEASE);
            store.settle(call.key(), "lost", lost.fence(), new Settlement.Renew(Duration.ZERO));
            try (Connection other = locked(database, dialect, call.key())) {
                assertThat(soon(() -> store.claim(call, "next", Duration.ofMillis(300))))
                        .isInstanceOf(Claim.Held.class);
                other.rollback();
            }

            assertThat(store.claim(call, "next", LEASE)).isInstanceOf(Claim.Granted.class);
            assertThat(state(store, call)).isEqualTo(Slot.State.HELD);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aLockedSlotCostsNoOtherItsRenewal(Dialect dialect) throws Exception {
        try (HikariDataSource database = open(dialect, "renewed")) {
            JdbcStore store = JdbcStore.on(database);
            Call blocked = Till.newCall();
            Call other = Till.newCall();
            long first = ((Claim.Granted) store.claim(blocked, "a", LEASE)).fence();
            long second = ((Claim.Granted) store.claim(other, "b", LEASE)).fence();
            try (Connection locking = locked(database, dialect, blocked.key())) {
                assertThatThrownBy(() -> soon(() -> store.settleAll(List.of(
                                new Settling(blocked.key(), "a", first, RENEW),
                                new Settling(other.key(), "b", second, RENEW)))))
                        .hasRootCauseInstanceOf(Exception.class)
                        .cause()
                        .isInstanceOf(StoreException.class);

                assertThat(store.look(other.key()).orElseThrow().remaining()).isGreaterThan(Duration.ofMinutes(30));
                locking.rollback();
            }
            assertThat(store.settle(blocked.key(), "a", first, RENEW)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void nobodyQueuesBehindALockedSlot(Dialect dialect) throws Exception {
        try (HikariDataSource database = open(dialect, "queued")) {
            JdbcStore store = JdbcStore.on(database);
            Call blocked = Till.newCall();
            Call other = Till.newCall();
            long first = ((Claim.Granted) store.claim(blocked, "a", LEASE)).fence();
            long second = ((Claim.Granted) store.claim(other, "b", LEASE)).fence();
            try (Connection locking = locked(database, dialect, blocked.key())) {
                Future<Boolean> waiting = threads.submit(() -> store.settle(blocked.key(), "a", first, DONE));

                assertThat(soon(() -> store.settle(other.key(), "b", second, DONE)))
                        .isTrue();
                assertThat(soon(() -> store.claim(Till.newCall(), "c", LEASE))).isInstanceOf(Claim.Granted.class);
                locking.rollback();
                assertThat(waiting.get(10, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** Long before whoever has locked it lets go. */
    private <T> T soon(java.util.concurrent.Callable<T> asked) throws Exception {
        return threads.submit(asked).get(5, TimeUnit.SECONDS);
    }

    private static Slot.State state(JdbcStore store, Call call) {
        return store.look(call.key()).orElseThrow().state();
    }

    private static HikariDataSource open(Dialect dialect, String name) {
        HikariDataSource database = Pools.fresh(dialect, name);
        Schema.create(database);
        return database;
    }

    private static Connection locked(HikariDataSource database, Dialect dialect, Key key) throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        try (var lock = connection.prepareStatement("SELECT fence FROM semel_slot WHERE id = ? FOR UPDATE")) {
            lock.setObject(1, dialect.sql().binary16(key.hash()));
            lock.executeQuery();
        }
        return connection;
    }
}
