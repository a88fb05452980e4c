// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.seal.AesGcmSeal;
import io.semel.seal.Seal;
import io.semel.spring.Payments.Order;
import io.semel.spring.Payments.Receipt;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Answers that are encrypted where they are stored. */
class SealTest {

    private static final String OLD = "semel.seal.keys.2025=" + key(1);
    private static final String NEW = "semel.seal.keys.2026=" + key(2);
    private static final Order ORDER = new Order("order-of-a-secret", 5);

    private static String key(int seed) {
        byte[] bytes = new byte[32];
        java.util.Arrays.fill(bytes, (byte) seed);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static ApplicationContextRunner app(String url, String... properties) {
        return Apps.onDatabase(url, "postgres").withPropertyValues(properties).withBean(Payments.class);
    }

    private static void assertSealed(JdbcClient database, String table) {
        List<byte[]> results = database.sql("SELECT result FROM " + table + " WHERE result IS NOT NULL")
                .query((row, number) -> row.getBytes(1))
                .list();
        assertThat(results)
                .isNotEmpty()
                .allSatisfy(result -> assertThat(new String(result, StandardCharsets.ISO_8859_1))
                        .doesNotContain("order-of-a-secret"));
    }

    @Test
    void joinedAnswersAreSealedAndKeysCanBeRotated() {
        String url = Postgres.newUrl();
        Receipt[] first = new Receipt[1];
        app(url, OLD).run(context -> {
            assertThat(context).hasNotFailed();
            first[0] = context.getBean(Payments.class).pay(ORDER);
            assertThat(context.getBean(Payments.class).pay(ORDER)).isEqualTo(first[0]);
            assertSealed(context.getBean(JdbcClient.class), "semel_slot");
        });
        app(url, OLD, NEW, "semel.seal.writing=2026").run(context -> {
            Payments payments = context.getBean(Payments.class);
            assertThat(payments.pay(ORDER)).isEqualTo(first[0]);
            payments.pay(new Order("order-of-a-secret too", 5));
        });
        app(url, NEW).run(context -> {
            Payments payments = context.getBean(Payments.class);
            assertThat(payments.pay(new Order("order-of-a-secret too", 5)).number())
                    .isOne();
            assertThatThrownBy(() -> payments.pay(ORDER)).hasMessageContaining("'2025'");
            assertThat(payments.paid(ORDER)).isOne();
        });
    }

    @Test
    void leasedAnswersAndThoseOfASealBeanAreSealed() {
        Seal mine = AesGcmSeal.of("mine", Map.of("mine", new byte[16]));
        Apps.onDatabase(Postgres.newUrl(), "postgres")
                .withPropertyValues("semel.store=jdbc")
                .withBean(Echo.class)
                .withBean(Seal.class, () -> mine)
                .run(context -> {
                    Echo echo = context.getBean(Echo.class);
                    assertThat(echo.say("order-of-a-secret")).isEqualTo(echo.say("order-of-a-secret"));
                    assertSealed(context.getBean(JdbcClient.class), "semel_slot");
                });
    }

    static class Echo {

        @Idempotent
        public String say(String what) {
            return what + " at " + System.nanoTime();
        }
    }

    @Test
    void requestsAreSealedByKeyAndBySession() throws Exception {
        for (String level : new String[] {"joined", "leased"}) {
            try (Web web = Web.onPostgres(
                    HttpJoinedMatrix.App.class, OLD, "semel.http.level=" + level, "semel.sessions.enabled=true")) {
                String body = "{\"id\":\"order-of-a-secret\",\"cents\":5}";
                String id = UUID.randomUUID().toString();
                assertThat(web.post("/pay", body, id).text())
                        .isEqualTo(web.post("/pay", body, id).text());
                String session = SessionsTest.register(web);
                for (int i = 0; i < 2; i++) {
                    Got got = web.send(
                            "POST",
                            "/pay",
                            body,
                            "Semel-Session",
                            session,
                            "Semel-Request",
                            "1",
                            "Semel-First-Outstanding",
                            "1");
                    assertThat(got.status()).isEqualTo(201);
                    assertThat(got.replayed()).isEqualTo(i == 1);
                }
                assertSealed(web.bean(JdbcClient.class), "semel_slot");
                assertSealed(web.bean(JdbcClient.class), "semel_request");
            }
        }
    }

    @Test
    void whatCannotBeKeysIsRefusedWithoutShowingThem() {
        refused("is not Base64", "semel.seal.keys.a=!topmost!");
        refused("AES takes 16, 24 or 32", "semel.seal.keys.a=c2VjcmV0");
        refused("does not choose the one to write with", OLD, NEW);
        refused("is not among the keys", OLD, "semel.seal.writing=2026");
    }

    private static void refused(String why, String... properties) {
        Apps.inMemory()
                .withBean(Shop.class)
                .withBean("tenant", Shop.Tenant.class)
                .withPropertyValues(properties)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .satisfies(e -> assertThat(e.toString()).doesNotContain("topmost", "c2VjcmV0"))
                        .satisfies(e -> assertThat(context.getStartupFailure()).hasStackTraceContaining(why)));
    }
}
