// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.Payments.Order;
import io.semel.spring.Payments.Receipt;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.testservers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Answers in Redis in front of PostgreSQL. */
class RedisInFrontTest {

    private final String id = UUID.randomUUID().toString();

    @RestController
    static class Ledger {

        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/enter")
        String enter(@RequestBody String entry) {
            return "entry " + runs.incrementAndGet();
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Ledger.class)
    static class App {}

    private static String[] properties(int port) {
        return new String[] {
            "semel.redis.in-front=true",
            "semel.redis.prefix=front-" + UUID.randomUUID() + ":",
            "spring.data.redis.host=127.0.0.1",
            "spring.data.redis.port=" + port
        };
    }

    private static Web start(WebApplicationType type, int port, String... more) {
        List<String> all = new ArrayList<>(List.of(
                type == WebApplicationType.REACTIVE ? WebFluxTest.WITHOUT_SECURITY : Web.WITHOUT_SECURITY,
                "spring.datasource.url=" + Postgres.newUrl(),
                "spring.datasource.username=postgres",
                "spring.datasource.hikari.minimum-idle=0",
                "semel.jdbc.initialize-schema=true",
                "semel.sessions.enabled=true"));
        all.addAll(List.of(properties(port)));
        all.addAll(List.of(more));
        return Web.start(App.class, type, all.toArray(String[]::new));
    }

    /** What the database has lost can only have come from Redis. */
    private void answersFromRedis(Web web) throws Exception {
        Got first = web.post("/enter", "{}", id);
        assertThat(web.post("/enter", "{}", id).text()).isEqualTo(first.text());
        JdbcClient database = web.bean(JdbcClient.class);
        assertThat(database.sql("DELETE FROM semel_slot").update()).isOne();
        Got third = web.post("/enter", "{}", id);
        assertThat(third.text()).isEqualTo(first.text());
        assertThat(third.replayed()).isTrue();
        assertThat(web.post("/enter", "{\"other\":1}", id).status()).isEqualTo(422);
        assertThat(web.bean(Ledger.class).runs).hasValue(1);
        numbersRequests(web);
    }

    private static void numbersRequests(Web web) throws Exception {
        String session = SessionsTest.register(web);
        Got first = SessionsTest.in(web, "/enter", session, 1, 1);
        assertThat(SessionsTest.in(web, "/enter", session, 1, 1).text()).isEqualTo(first.text());
        assertThat(web.bean(JdbcClient.class)
                        .sql("SELECT COUNT(*) FROM semel_request WHERE result IS NOT NULL")
                        .query(Integer.class)
                        .single())
                .isOne();
    }

    @Test
    void inAServletApplicationJoined() throws Exception {
        try (Web web = start(WebApplicationType.SERVLET, RedisServer.shared().port())) {
            assertThat(web.bean(ApplicationStore.class).describe()).contains("answers cached in Redis", "Level JOINED");
            answersFromRedis(web);
        }
    }

    @Test
    void inAServletApplicationLeased() throws Exception {
        try (Web web = start(WebApplicationType.SERVLET, RedisServer.shared().port(), "semel.store=jdbc")) {
            answersFromRedis(web);
        }
    }

    @Test
    void inAReactiveApplication() throws Exception {
        try (Web web = start(WebApplicationType.REACTIVE, RedisServer.shared().port())) {
            answersFromRedis(web);
        }
    }

    @Test
    void aMethodFillsItAfterTheCommitOfWhoeverCalledIt() {
        Apps.onDatabase(Postgres.newUrl(), "postgres")
                .withConfiguration(Boot.auto("DataRedis|Redis"))
                .withPropertyValues(properties(RedisServer.shared().port()))
                .withBean(Payments.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Payments payments = context.getBean(Payments.class);
                    Order order = new Order(id, 5);
                    Receipt first = payments.pay(order);
                    assertThat(payments.pay(order)).isEqualTo(first);
                    context.getBean(JdbcClient.class)
                            .sql("DELETE FROM semel_slot")
                            .update();
                    assertThat(payments.pay(order)).isEqualTo(first);
                    assertThat(payments.paid(order)).isOne();
                });
    }

    @Test
    void whatASavepointTookBackIsNotKeptInRedis() {
        Apps.onDatabase(Postgres.newUrl(), "postgres")
                .withConfiguration(Boot.auto("DataRedis|Redis"))
                .withPropertyValues(properties(RedisServer.shared().port()))
                .withBean(Payments.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Payments payments = context.getBean(Payments.class);
                    PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
                    TransactionTemplate nested = new TransactionTemplate(manager);
                    nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
                    Order order = new Order(id, 5);
                    new TransactionTemplate(manager)
                            .executeWithoutResult(outer -> nested.executeWithoutResult(inner -> {
                                payments.pay(order);
                                payments.pay(order);
                                inner.setRollbackOnly();
                            }));
                    assertThat(payments.paid(order)).isZero();
                    payments.pay(order);
                    assertThat(payments.paid(order)).isOne();
                });
    }

    @Test
    void withoutRedisTheDatabaseAnswers() throws Exception {
        try (Web web = start(WebApplicationType.SERVLET, 1)) {
            Got first = web.post("/enter", "{}", id);
            assertThat(first.status()).isEqualTo(200);
            assertThat(web.post("/enter", "{}", id).text()).isEqualTo(first.text());
        }
    }

    @Test
    void itNeedsADatabaseAndARedis() {
        refused(Apps.onH2(), "a single Lettuce client is missing", "semel.redis.in-front=true");
        refused(Apps.inMemory(), "caches answers in front of a database", "semel.redis.in-front=true");
    }

    private static void refused(
            org.springframework.boot.test.context.runner.ApplicationContextRunner app, String why, String property) {
        app.withPropertyValues(property)
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining(why));
    }
}
