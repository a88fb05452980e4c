// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.semel.Engine;
import io.semel.memory.MemoryStore;
import io.semel.testservers.RedisServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What semel.sessions does, on each store. */
class SessionsTest {

    private static final String NO_DATABASE = Web.WITHOUT_SECURITY + "," + Boot.DATABASE;

    @RestController
    static class Counter {

        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/count")
        String count() {
            return "run " + runs.incrementAndGet();
        }

        @Idempotent
        @PostMapping("/marked")
        String marked() {
            return count();
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Counter.class)
    static class App {}

    static class WithEngine extends App {

        @Bean
        Engine engine() {
            return Engine.on(new MemoryStore());
        }
    }

    /** Fails every other time, after it has paid. */
    @RestController
    static class Ledger {

        private final JdbcClient database;
        private final AtomicInteger runs = new AtomicInteger();

        Ledger(JdbcClient database) {
            this.database = database;
            database.sql("CREATE TABLE IF NOT EXISTS paid (run INT)").update();
        }

        @PostMapping("/pay")
        ResponseEntity<String> pay() {
            int run = runs.incrementAndGet();
            database.sql("INSERT INTO paid VALUES (?)").param(run).update();
            return ResponseEntity.status(run % 2 == 1 ? 503 : 201).body("run " + run);
        }

        int paid() {
            return database.sql("SELECT count(*) FROM paid")
                    .query(Integer.class)
                    .single();
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Ledger.class)
    static class Bank {}

    @Test
    void onADatabaseEffectAndAnswerAndMarkCommitTogetherAndAPoolOfOneIsEnough() throws Exception {
        try (Web web = Web.onPostgres(
                Bank.class,
                "semel.sessions.enabled=true",
                "semel.sessions.window=4",
                "spring.datasource.hikari.maximum-pool-size=1",
                "spring.datasource.hikari.connection-timeout=20000")) {
            Ledger ledger = web.bean(Ledger.class);
            String id = register(web);

            assertThat(in(web, "/pay", id, 1, 1).status()).isEqualTo(503);
            assertThat(ledger.paid()).isZero();
            assertThat(in(web, "/pay", id, 1, 1).text()).isEqualTo("run 2");
            assertThat(in(web, "/pay", id, 1, 1).replayed()).isTrue();
            assertThat(in(web, "/pay", id, 9, 2).problem()).isEqualTo("session-window-full");
            assertThat(in(web, "/pay", id, 1, 1).problem()).isEqualTo("session-stale");
            assertThat(ledger.paid()).isOne();
            assertThat(web.send("DELETE", "/.semel/sessions/" + id, "").status())
                    .isEqualTo(204);
        }
    }

    @Test
    void leasedSessionsInADatabaseRecordByThemselves() throws Exception {
        try (Web web =
                Web.onDatabase(Bank.class, Apps.h2(), "sa", "semel.sessions.enabled=true", "semel.http.level=leased")) {
            String id = register(web);
            in(web, "/pay", id, 1, 1);

            assertThat(in(web, "/pay", id, 1, 1).status()).isEqualTo(201);
            assertThat(in(web, "/pay", id, 1, 1).replayed()).isTrue();
            assertThat(web.bean(Ledger.class).paid()).isEqualTo(2);
        }
    }

    @Test
    void aCallerMayHaveOnlySoMany() throws Exception {
        try (Web web = Web.start(
                App.class,
                NO_DATABASE,
                "semel.store=memory",
                "semel.sessions.enabled=true",
                "semel.sessions.cap-per-caller=1")) {
            assertThat(web.send("POST", "/.semel/sessions", "").status()).isEqualTo(201);
            assertThat(web.send("POST", "/.semel/sessions", "").problem()).isEqualTo("too-many-sessions");
        }
    }

    @Test
    void inMemoryWithSettingsOfTheirOwn() throws Exception {
        try (Web web = Web.start(
                App.class,
                NO_DATABASE,
                "semel.store=memory",
                "server.servlet.context-path=/shop",
                "semel.http.paths=/count",
                "semel.count-every=0s",
                "semel.sessions.enabled=true",
                "semel.sessions.lease=2m",
                "semel.sessions.window=8",
                "semel.sessions.mode=strict",
                "semel.sessions.cap=1")) {
            Got registered = web.send("POST", "/shop/.semel/sessions", "");
            String id = id(registered);

            assertThat(registered.text()).endsWith("\"leaseMillis\":120000,\"window\":8,\"mode\":\"strict\"}");
            assertThat(registered.header("Location")).isEqualTo("/shop/.semel/sessions/" + id);
            assertThat(web.send("POST", "/shop/.semel/sessions", "").problem()).isEqualTo("sessions-full");
            assertThat(in(web, "/shop/count", id, 2, 1).problem()).isEqualTo("session-out-of-order");
            assertThat(in(web, "/shop/marked", id, 1, 1).text()).isEqualTo("run 1");
            assertThat(in(web, "/shop/marked", id, 1, 1).replayed()).isTrue();
            assertThat(web.send("PUT", "/shop/.semel/sessions/" + id, "").status())
                    .isEqualTo(200);
            MeterRegistry meters = web.bean(MeterRegistry.class);
            for (String outcome : List.of("executed", "replayed", "out_of_order")) {
                assertThat(meters.get("semel.session.requests")
                                .tag("outcome", outcome)
                                .counter()
                                .count())
                        .as(outcome)
                        .isOne();
            }
            assertThat(meters.get("semel.sessions").gauge().value()).isOne();
        }
    }

    @Test
    void onRocksDb(@TempDir Path directory) throws Exception {
        try (Web web = Web.start(
                App.class,
                NO_DATABASE,
                "semel.store=rocksdb",
                "semel.rocksdb.directory=" + directory.resolve("semel"),
                "semel.sessions.enabled=true")) {
            runsOnce(web);
        }
    }

    @Test
    void onRedis() throws Exception {
        try (Web web = Web.start(
                App.class,
                NO_DATABASE,
                "semel.store=redis",
                "semel.redis.prefix=sessions-test:",
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + RedisServer.shared().port(),
                "semel.sessions.enabled=true")) {
            runsOnce(web);
        }
    }

    @Test
    void theyHaveToBeAskedForAndCannotBeOnAnEngineOfTheApplication() throws Exception {
        try (Web web = Web.start(App.class, NO_DATABASE, "semel.store=memory")) {
            assertThat(web.send("POST", "/.semel/sessions", "").status()).isEqualTo(404);
            assertThat(in(web, "/count", "some", 1, 1).problem()).isEqualTo("unsupported");
        }
        assertThatThrownBy(() -> Web.start(WithEngine.class, NO_DATABASE, "semel.sessions.enabled=true"))
                .rootCause()
                .hasMessageContaining("semel.sessions.enabled=true");
    }

    private static void runsOnce(Web web) throws Exception {
        String id = register(web);
        Got first = in(web, "/count", id, 1, 1);
        Got retry = in(web, "/count", id, 1, 1);

        assertThat(first.text()).isEqualTo("run 1");
        assertThat(retry.text()).isEqualTo("run 1");
        assertThat(retry.replayed()).isTrue();
        assertThat(in(web, "/count", "other", 1, 1).problem()).isEqualTo("session-unknown");
    }

    static String register(Web web) throws Exception {
        return id(web.send("POST", "/.semel/sessions", ""));
    }

    static String id(Got registered) {
        return registered.text().replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
    }

    static Got in(Web web, String path, String id, long number, long firstOutstanding) throws Exception {
        return web.send(
                "POST",
                path,
                "{}",
                "Semel-Session",
                id,
                "Semel-Request",
                Long.toString(number),
                "Semel-First-Outstanding",
                Long.toString(firstOutstanding));
    }
}
