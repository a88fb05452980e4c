// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Inspectable.View;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table of layout 1 is upgraded where it stands, and processes of both versions may run while that is done. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LayoutTest {

    private static final long FOREVER = Long.MAX_VALUE;
    private static final byte[] VALUE = "\1\0charged".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] UNKNOWN = {1, 3};

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aTableOfLayout1IsRefusedUntilItIsUpgraded(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "old_layout")) {
            Layout1.create(database, dialect);
            assertThatThrownBy(() -> JdbcStore.on(database))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has layout 1; this version works with layout 2");
            Schema.create(database);
            assertThat(JdbcStore.on(database).count()).isEqualTo(new Counts(0, 0, 0, 0, 0, sizeOf(database)));
        }
    }

    private static long sizeOf(HikariDataSource database) {
        return JdbcStore.on(database).count().bytes();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void rowsInEveryStateAreFoundAfterTheUpgrade(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "upgraded")) {
            fill(Layout1.create(database, dialect));
            Schema.create(database);
            Schema.create(database);

            assertAllFound(database);
            assertNothingRuns(database);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void liquibaseUpgradesToo(Dialect dialect) throws Exception {
        try (HikariDataSource database = Pools.fresh(dialect, "upgraded_by_liquibase")) {
            fill(Layout1.create(database, dialect));
            SchemaTest.updateByLiquibase(database, "io/semel/jdbc/liquibase.xml");

            assertAllFound(database);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void flywayUpgradesToo(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "upgraded_by_flyway")) {
            fill(Layout1.create(database, dialect));
            SchemaTest.flyway(database, dialect).baselineOnMigrate(true).load().migrate();

            assertAllFound(database);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void manyProcessesMayUpgradeAtOnce(Dialect dialect) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (HikariDataSource database = Pools.fresh(dialect, "upgraded_at_once")) {
            fill(Layout1.create(database, dialect));
            CyclicBarrier start = new CyclicBarrier(4);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(threads.submit(() -> {
                    start.await();
                    Schema.create(database);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }

            assertAllFound(database);
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aProcessOfLayout1ThatRunsAlreadyGoesOn(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "rolling")) {
            Layout1 old = Layout1.create(database, dialect);
            old.claim("claimed before", "old");
            Schema.create(database);
            old.claim("claimed after", "old");
            JdbcStore store = JdbcStore.on(database);
            assertThat(ids(store, View.IN_FLIGHT)).containsExactlyInAnyOrder("claimed before", "claimed after");

            assertThat(old.complete("claimed before", "old", UNKNOWN)).isTrue();
            assertThat(old.complete("claimed after", "old", VALUE)).isTrue();

            assertThat(store.look(Layout1.key("claimed before")))
                    .get()
                    .extracting(Slot::state)
                    .isEqualTo(Slot.State.UNKNOWN);
            assertThat(Engine.on(store)
                            .run(Call.of(Layout1.key("claimed after"), Layout1.PRINT), Till.UTF8, attempt -> "again"))
                    .isEqualTo(new Done<>("charged", true));
            assertUnknown(store, "claimed before");
            assertThat(ids(store, View.IN_FLIGHT)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void whatAProcessOfLayout1SettlesAndResolvesIsListedAndCountedAtOnce(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "resolved_by_old")) {
            Layout1 old = Layout1.create(database, dialect);
            Schema.create(database);
            JdbcStore store = JdbcStore.on(database);
            Engine engine = Engine.on(store);

            old.claim("old", "old");
            assertThat(old.complete("old", "old", UNKNOWN)).isTrue();
            assertUnknown(store, "old");
            ((Begun.Started<String>) engine.begin(call("new"), Till.UTF8)).hold("nobody knows");
            assertUnknown(store, "old", "new");

            assertThat(old.amend("old", UNKNOWN, VALUE)).isTrue();
            assertUnknown(store, "new");
            byte[] seen = store.look(Layout1.key("new")).orElseThrow().result();
            assertThat(old.free("new", seen)).isTrue();
            assertUnknown(store);
            assertThat(old.take("new", "old")).isTrue();
            assertUnknown(store);
            assertThat(ids(store, View.IN_FLIGHT)).containsExactly("new");
            assertThat(old.complete("new", "old", VALUE)).isTrue();
            assertThat(store.count())
                    .isEqualTo(new Counts(0, 0, 0, 2, 0, store.count().bytes()));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void noResultIsSoShortOrOddThatItCannotBeStored(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "odd")) {
            Layout1 old = Layout1.create(database, dialect);
            Schema.create(database);
            JdbcStore store = JdbcStore.on(database);

            old.row("empty", null, 60, FOREVER, new byte[0]);
            old.row("one byte", null, 60, FOREVER, new byte[] {1});
            old.row("high bits", null, 60, FOREVER, new byte[] {-1, -1});
            old.row("another format", null, 60, FOREVER, new byte[] {3, 3});
            old.row("large", null, 60, FOREVER, new byte[1_000_000]);
            old.row("flagged", null, 60, FOREVER, new byte[] {2, 0x13});

            assertUnknown(store, "flagged");
        }
    }

    private static void assertUnknown(JdbcStore store, String... ids) {
        assertThat(ids(store, View.UNKNOWN)).containsExactlyInAnyOrder(ids);
        assertThat(store.count().unknown()).isEqualTo(ids.length);
    }

    private static void fill(Layout1 old) throws SQLException {
        old.row("held", "somebody", 60, FOREVER, null);
        old.row("lapsed", "somebody", -60, FOREVER, null);
        old.row("value", null, 60, FOREVER, VALUE);
        old.row("rejected", null, 60, FOREVER, new byte[] {1, 1, 'n', 'o'});
        old.row("not retained", null, 60, FOREVER, new byte[] {1, 2});
        old.row("unknown", null, 60, FOREVER, UNKNOWN);
        old.row("unknown in format 2", null, 60, FOREVER, new byte[] {2, 3, 0});
        old.row("not a frame", null, 60, FOREVER, new byte[] {9});
        old.row("over", null, -60, FOREVER, VALUE);
        old.row("gone", null, -60, FOREVER, null);
        old.row("released", null, -60, 0, null);
        old.row("forgotten", null, -60, 1, VALUE);
    }

    private static void assertAllFound(HikariDataSource database) throws SQLException {
        JdbcStore store = JdbcStore.on(database);
        assertThat(ids(store, View.IN_FLIGHT)).containsExactlyInAnyOrder("held", "lapsed");
        assertThat(ids(store, View.UNKNOWN)).containsExactlyInAnyOrder("unknown", "unknown in format 2");
        assertThat(ids(store, View.OLDEST))
                .containsExactlyInAnyOrder(
                        "held",
                        "lapsed",
                        "value",
                        "rejected",
                        "not retained",
                        "unknown",
                        "unknown in format 2",
                        "not a frame",
                        "over",
                        "gone");
        Counts counts = store.count();
        assertThat(counts).isEqualTo(new Counts(1, 1, 2, 4, 2, counts.bytes()));
        Admin admin = Admin.of(database);
        assertThat(store.purge(100)).as("over, gone, released, forgotten").isEqualTo(4);
        assertThat(store.purge(100)).isZero();
        assertThat(store.count())
                .isEqualTo(new Counts(1, 1, 2, 4, 2, store.count().bytes()));
        assertThat(admin.number("SELECT COUNT(*) FROM semel_slot")).isEqualTo(10);
    }

    private static void assertNothingRuns(HikariDataSource database) {
        Engine engine = Engine.on(JdbcStore.on(database));
        assertThat(engine.run(call("value"), Till.UTF8, attempt -> "again")).isEqualTo(new Done<>("charged", true));
        assertThat(engine.run(call("unknown"), Till.UTF8, attempt -> "again")).isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(engine.run(call("gone"), Till.UTF8, attempt -> "again")).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(engine.run(call("over"), Till.UTF8, attempt -> "again")).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(engine.run(call("forgotten"), Till.UTF8, attempt -> "anew")).isEqualTo(new Done<>("anew", false));
    }

    private static Call call(String id) {
        return Call.of(Layout1.key(id), Layout1.PRINT);
    }

    private static Set<String> ids(JdbcStore store, View view) {
        return new HashSet<>(store.page(view, null, 100).slots().stream()
                .map(slot -> slot.key().id())
                .toList());
    }
}
