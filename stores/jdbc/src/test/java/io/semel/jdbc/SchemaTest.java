// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.session.Session;
import io.semel.store.Inspectable.View;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the table gets into a database, and what is said where it is missing or another one. */
class SchemaTest {

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void flywayCreatesTheTableBesideTheMigrationsOfItsOwn(Dialect dialect) {
        try (HikariDataSource database = Pools.fresh(dialect, "flyway")) {
            Flyway flyway = flyway(database, dialect).load();

            assertThat(flyway.migrate().migrationsExecuted).isEqualTo(1);
            assertThat(flyway.migrate().migrationsExecuted).isZero();

            assertWorks(database);
        }
    }

    static FluentConfiguration flyway(HikariDataSource database, Dialect dialect) {
        return Flyway.configure(SchemaTest.class.getClassLoader())
                .dataSource(database)
                .locations("classpath:io/semel/jdbc/" + dialect.name().toLowerCase(Locale.ROOT));
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void liquibaseCreatesTheTablesOfEachDatabase(Dialect dialect) throws Exception {
        try (HikariDataSource database = Pools.fresh(dialect, "liquibase")) {
            for (int i = 0; i < 2; i++) {
                updateByLiquibase(database, "io/semel/jdbc/liquibase.xml");
                updateByLiquibase(database, "io/semel/jdbc/sessions/liquibase.xml");
            }

            assertWorks(database);
            assertThat(JdbcSessions.on(database, 1).register(Session.of("somebody")))
                    .isTrue();
        }
    }

    static void updateByLiquibase(HikariDataSource database, String file) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            new Liquibase(
                            file,
                            new ClassLoaderResourceAccessor(SchemaTest.class.getClassLoader()),
                            DatabaseFactory.getInstance()
                                    .findCorrectDatabaseImplementation(new JdbcConnection(connection)))
                    .update("");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void flywayCreatesTheTablesOfSessionsFromALocationOfTheirOwn(Dialect dialect) {
        try (HikariDataSource database = Pools.fresh(dialect, "flyway_sessions")) {
            Flyway flyway = Flyway.configure(SchemaTest.class.getClassLoader())
                    .dataSource(database)
                    .locations(
                            "classpath:io/semel/jdbc/sessions/" + dialect.name().toLowerCase(Locale.ROOT))
                    .load();

            assertThat(flyway.migrate().migrationsExecuted).isEqualTo(1);

            assertThat(JdbcSessions.on(database, 1).register(Session.of("somebody")))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void manyProcessesMayCreateTheTablesAtOnce(Dialect dialect) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (HikariDataSource database = Pools.fresh(dialect, "at_once")) {
            CyclicBarrier start = new CyclicBarrier(8);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(threads.submit(() -> {
                    start.await();
                    Schema.create(database);
                    Schema.createSessions(database);
                    Schema.createProducers(database);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }

            assertWorks(database);
            assertThat(Admin.of(database).number("SELECT COUNT(*) FROM semel_layout"))
                    .isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aJoinedStoresTableIsCheckedAtStartUpToo() {
        try (HikariDataSource database = Pools.fresh(Dialect.H2, "unchecked")) {
            assertThatThrownBy(() -> Schema.check(database))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Schema.create(dataSource)");
            Schema.create(database);
            assertThat(Schema.check(database)).isEqualTo(Dialect.H2);
        }
    }

    @Test
    void aDatabaseWithoutTheTableIsRefusedWithWhatToRun() {
        try (HikariDataSource database = Pools.fresh(Dialect.H2, "empty")) {
            assertThatThrownBy(() -> JdbcStore.on(database))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Run io/semel/jdbc/h2/R__semel.sql");
        }
    }

    @Test
    void aTableOfANewerLayoutIsRefused() throws Exception {
        try (HikariDataSource database = Pools.fresh(Dialect.H2, "newer")) {
            Schema.create(database);
            Admin.of(database).execute("UPDATE semel_layout SET version = 3");

            assertThatThrownBy(() -> TransactingStore.on(database))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has layout 3; this version works with layout 2");
        }
    }

    @Test
    void theStatementForPgCronPurgesLikeTheStore() throws Exception {
        try (HikariDataSource database = Pools.fresh(Dialect.POSTGRESQL, "pg_cron")) {
            Schema.create(database);
            Admin admin = Admin.of(database);
            Operation brief = Operation.named("charge").retention(Duration.ofMillis(1), Duration.ofDays(1));
            Engine engine = Engine.on(JdbcStore.on(database));
            Call outdated = Till.newCall();
            Call forgotten = Till.newCall();
            Call live = Till.newCall();
            engine.with(brief).run(outdated, Till.UTF8, attempt -> "charged");
            engine.with(brief).run(forgotten, Till.UTF8, attempt -> "charged");
            engine.run(live, Till.UTF8, attempt -> "charged");
            admin.execute("UPDATE semel_slot SET until = 0 WHERE name <> '"
                    + live.key().id() + "'");
            admin.execute("UPDATE semel_slot SET forget = 1 WHERE name = '"
                    + forgotten.key().id() + "'");

            admin.execute(scheduled());

            assertThat(admin.number("SELECT COUNT(*) FROM semel_slot")).isEqualTo(2);
            assertThat(admin.number("SELECT COUNT(*) FROM semel_slot WHERE result IS NULL"))
                    .isEqualTo(1);
            assertThat(engine.run(outdated, Till.UTF8, attempt -> "charged again"))
                    .isEqualTo(new Refused<>(Reason.GONE));
            assertThat(engine.run(live, Till.UTF8, attempt -> "charged again")).isEqualTo(new Done<>("charged", true));
        }
    }

    @Test
    void theStatementForPgCronLeavesNoBacklog() throws Exception {
        try (HikariDataSource database = Pools.fresh(Dialect.POSTGRESQL, "pg_cron_backlog")) {
            Schema.create(database);
            Admin admin = Admin.of(database);
            admin.execute("""
                    INSERT INTO semel_slot (id, print, fence, attempts, since, until, forget, result)
                    SELECT gen_random_uuid(), gen_random_uuid(), n, 1, n, n, CASE WHEN n % 2 = 0 THEN 9223372036854775807 ELSE n END, 'x'
                    FROM generate_series(1, 120000) n
                    """);

            admin.execute(scheduled());

            assertThat(admin.number("SELECT COUNT(*) FROM semel_slot")).isEqualTo(60_000);
            assertThat(admin.number("SELECT COUNT(*) FROM semel_slot WHERE result IS NOT NULL"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void hiddenKeysAreFoundButNotShown(Dialect dialect) throws Exception {
        try (HikariDataSource database = Pools.fresh(dialect, "hidden")) {
            Schema.create(database);
            Admin admin = Admin.of(database);
            JdbcStore leased = JdbcStore.on(database).hidingKeys();
            TransactingStore transacting = TransactingStore.on(database).hidingKeys();
            Call first = Till.newCall();
            Call second = Till.newCall();

            Engine.on(leased).run(first, Till.UTF8, attempt -> "charged");
            Engine.on(transacting).run(second, Till.UTF8, attempt -> "charged");

            assertThat(admin.number("SELECT COUNT(*) FROM semel_slot WHERE scope IS NULL AND name IS NULL"))
                    .isEqualTo(2);
            assertThat(Engine.on(leased).run(second, Till.UTF8, attempt -> "again"))
                    .isEqualTo(new Done<>("charged", true));
            assertThat(leased.look(first.key())).isPresent();
            assertThat(leased.page(View.OLDEST, null, 10).slots())
                    .extracting(slot -> slot.key().scope())
                    .containsOnly("(not kept)");
        }
    }

    /** What pg_cron would run. */
    private static String scheduled() throws Exception {
        try (InputStream in = Schema.class.getResourceAsStream("postgresql/pg_cron.sql")) {
            String sql = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return sql.split("\\$purge\\$", -1)[1];
        }
    }

    private static void assertWorks(HikariDataSource database) {
        Call call = Till.newCall();
        Engine engine = Engine.on(JdbcStore.on(database));

        assertThat(engine.run(call, Till.UTF8, attempt -> "charged")).isEqualTo(new Done<>("charged", false));
        assertThat(engine.run(call, Till.UTF8, attempt -> "again")).isEqualTo(new Done<>("charged", true));
    }
}
