// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.Level;
import io.semel.jdbc.JdbcStore;
import io.semel.jdbc.JoinedStore;
import io.semel.memory.MemoryStore;
import io.semel.redis.RedisStore;
import io.semel.rocksdb.RocksStore;
import io.semel.session.MemorySessions;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.spring.internal.store.Engines;
import io.semel.store.Store;
import io.semel.testservers.RedisServer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Which store is found, and what is said about it. */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationTest {

    private static ApplicationContextRunner withRedis(ApplicationContextRunner app) {
        return app.withConfiguration(Boot.auto("DataRedis|Redis"))
                .withPropertyValues(
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + RedisServer.shared().port());
    }

    private static Store store(ApplicationContext context) {
        return context.getBean(ApplicationStore.class).store();
    }

    private static void fails(ApplicationContextRunner app, String... parts) {
        app.run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).rootCause();
            StringBuilder all = new StringBuilder();
            for (Throwable each = context.getStartupFailure(); each != null; each = each.getCause()) {
                all.append(each.getMessage()).append('\n');
            }
            assertThat(all).contains(parts);
        });
    }

    @Test
    void aDatabaseWithATransactionManagerIsJoined(CapturedOutput output) {
        withRedis(Apps.onH2()).run(context -> {
            assertThat(store(context)).isInstanceOf(JoinedStore.class);
            assertThat(context.getBean(Engine.class).level()).isEqualTo(Level.JOINED);
        });
        assertThat(lines(output))
                .singleElement()
                .asString()
                .contains("Level JOINED", "commit in one transaction", "INFO");
    }

    private static List<String> lines(CapturedOutput output) {
        return Arrays.stream(output.toString().split("\n", -1))
                .filter(line -> line.contains("Semel stores its records"))
                .toList();
    }

    @Test
    void aDatabaseWithoutATransactionManagerIsLeased(CapturedOutput output) {
        Apps.bare()
                .withBean(DataSource.class, () -> new DriverManagerDataSource(Apps.h2(), "sa", ""))
                .withPropertyValues("semel.jdbc.initialize-schema=true")
                .run(context -> assertThat(store(context)).isInstanceOf(JdbcStore.class));
        assertThat(lines(output)).singleElement().asString().contains("Level LEASED", "no single or primary Platform");
    }

    @Test
    void aTransactionManagerOfAnotherDatabaseIsNotJoined() {
        ApplicationContextRunner app = Apps.bare()
                .withBean(DataSource.class, () -> new DriverManagerDataSource(Apps.h2(), "sa", ""))
                .withBean(
                        PlatformTransactionManager.class,
                        () -> new JdbcTransactionManager(new DriverManagerDataSource(Apps.h2(), "sa", "")))
                .withPropertyValues("semel.jdbc.initialize-schema=true");
        app.run(context -> assertThat(store(context)).isInstanceOf(JdbcStore.class));
        fails(
                app.withPropertyValues("semel.store=joined"),
                "semel.store=joined requires",
                "does not show the connection");
    }

    @Test
    void aDatabaseWithoutSemelsTableIsRefusedWithWhatToDo() {
        fails(
                Apps.onH2().withPropertyValues("semel.jdbc.initialize-schema=false"),
                "Semel's table is not in this database",
                "semel.jdbc.initialize-schema=true");
    }

    @Test
    void migrationsAreRunFirst() {
        Apps.onH2()
                .withConfiguration(Boot.auto("DataSourceInitialization|SqlInitialization"))
                .withPropertyValues(
                        "semel.jdbc.initialize-schema=false",
                        "spring.sql.init.schema-locations=classpath:io/semel/jdbc/h2/R__semel.sql")
                .run(context -> assertThat(store(context)).isInstanceOf(JoinedStore.class));
    }

    @Test
    void redisIsFoundWhereThereIsNoDatabase(CapturedOutput output) {
        withRedis(Apps.bare()).run(context -> assertThat(store(context)).isInstanceOf(RedisStore.class));
        assertThat(lines(output)).singleElement().asString().contains("Redis", "Level BEST_EFFORT", "may be lost");
    }

    @Test
    void redisIsTakenBeforeTheDatabaseOnlyIfToldSo() {
        withRedis(Apps.onH2())
                .withPropertyValues("semel.store=redis")
                .run(context -> assertThat(store(context)).isInstanceOf(RedisStore.class));
    }

    @Test
    void aRedisThatCannotKeepItsPromiseIsRefused() {
        fails(withRedis(Apps.bare()).withPropertyValues("semel.redis.durable=true"), "appendonly");
    }

    @Test
    void aDirectoryIsEnoughForRocksDbAndIsLetGoAtTheEnd(@TempDir Path directory) {
        ApplicationContextRunner app = Apps.bare().withPropertyValues("semel.rocksdb.directory=" + directory);
        for (int i = 0; i < 2; i++) {
            app.run(context -> {
                assertThat(store(context)).isInstanceOf(RocksStore.class);
                assertThat(store(context).level()).isEqualTo(Level.LEASED);
            });
        }
    }

    @Test
    void aStoreOfSessionsIsNotTakenForTheStoreOfKeys() {
        MemoryStore keys = new MemoryStore();
        Apps.bare()
                .withBean(MemorySessions.class, () -> new MemorySessions(10))
                .run(context -> assertThat(store(context)).isInstanceOf(MemoryStore.class));
        Apps.bare()
                .withBean(MemorySessions.class, () -> new MemorySessions(10))
                .withBean(MemoryStore.class, () -> keys)
                .run(context -> assertThat(store(context)).isSameAs(keys));
    }

    @Test
    void memoryIsTheLastResortAndSaysWhatItLacks(CapturedOutput output) {
        Apps.bare().run(context -> assertThat(store(context)).isInstanceOf(MemoryStore.class));
        assertThat(lines(output))
                .singleElement()
                .asString()
                .contains("memory", "no other store is available", "BEST_EFFORT");
    }

    @Test
    void aStoreOfTheApplicationComesFirst() {
        MemoryStore mine = new MemoryStore();
        Apps.onH2()
                .withBean("mine", Store.class, () -> mine)
                .run(context -> assertThat(store(context)).isSameAs(mine));
    }

    @Test
    void anEngineOfTheApplicationComesFirst() {
        Engine mine = Engine.on(new MemoryStore());
        Apps.onH2().withBean(Engine.class, () -> mine).run(context -> {
            assertThat(context).doesNotHaveBean(ApplicationStore.class);
            assertThat(context.getBean(Engines.class).standard()).isSameAs(mine);
        });
    }

    @Test
    void whatIsDemandedAndMissingIsSaid() {
        fails(Apps.bare().withPropertyValues("semel.store=jdbc"), "semel.store=jdbc requires a database", "DataSource");
        fails(
                Apps.bare().withPropertyValues("semel.store=redis"),
                "semel.store=redis requires Redis",
                "Lettuce client");
        fails(Apps.bare().withPropertyValues("semel.store=rocksdb"), "semel.rocksdb.directory is not set");
        fails(Apps.bare().withPropertyValues("semel.store=somewhere"), "somewhere");
        fails(Apps.bare().withPropertyValues("semel.purge.batch=0"), "a batch of at least one");
    }
}
