// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which level requests get from a database, and how many connections they take. */
@ExtendWith(OutputCaptureExtension.class)
class HttpLevelsTest {

    private final String id = UUID.randomUUID().toString();
    private final String body = "{\"id\":\"" + id + "\",\"cents\":5}";

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import({Till.class, Till.Advice.class})
    static class App {

        @Bean
        Till.Ledger ledger(JdbcClient database) {
            return new Till.Ledger(database);
        }
    }

    static class WithTransactionInFront extends App {

        @Bean
        FilterRegistrationBean<?> front(PlatformTransactionManager manager) {
            var registration =
                    new FilterRegistrationBean<>((request, response, chain) -> new TransactionTemplate(manager)
                            .executeWithoutResult(status -> {
                                try {
                                    chain.doFilter(request, response);
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            }));
            registration.setOrder(0);
            return registration;
        }
    }

    @Test
    void aPoolOfOneIsEnough() throws Exception {
        try (Web web = Web.onPostgres(
                App.class,
                "spring.datasource.hikari.maximum-pool-size=1",
                "spring.datasource.hikari.connection-timeout=20000")) {
            List<Got> all = Threads.together(8, () -> web.post("/pay", body, id));
            assertThat(all).extracting(Got::text).containsOnly(all.get(0).text());
            assertThat(web.post("/advised", body, id + "2").status()).isEqualTo(402);
            assertThat(web.post("/later", body, id + "3").status()).isEqualTo(200);
            assertThat(web.bean(Till.Ledger.class).paid(id)).isEqualTo(2);
        }
    }

    @Test
    void onH2TooTheAnswerCommitsWithTheEffect(CapturedOutput output) throws Exception {
        try (Web web = Web.onDatabase(App.class, Apps.h2(), "sa")) {
            Got first = web.post("/pay", body, id);
            assertThat(web.post("/pay", body, id).text()).isEqualTo(first.text());
            assertThat(web.post("/thrown", body, id + "2").status()).isEqualTo(500);
            assertThat(web.post("/advised", body, id + "3").status()).isEqualTo(402);
            assertThat(web.post("/advised", body, id + "3").replayed()).isTrue();
            assertThat(web.bean(Till.Ledger.class).paid(id)).isOne();
        }
        assertThat(output)
                .contains(
                        "Semel guards HTTP requests with an idempotency key under /**. Level JOINED: the answer commits"
                                + " in its handler's transaction, before the first byte is sent.");
    }

    @Test
    void leasedIsDemandedByAProperty(CapturedOutput output) throws Exception {
        try (Web web = Web.onDatabase(App.class, Apps.h2(), "sa", "semel.http.level=leased")) {
            Got first = web.post("/pay", body, id);
            assertThat(web.post("/pay", body, id).text()).isEqualTo(first.text());
            assertThat(web.post("/failed", body, id + "2").status()).isEqualTo(502);
            assertThat(web.bean(Till.Ledger.class).paid(id)).isEqualTo(2);
        }
        assertThat(output).contains("under /**. Level LEASED: the answer is recorded after its handler has ended");
    }

    @Test
    void whereJoinedIsDemandedAHandlerThatAnswersLaterTakesNoKeys() throws Exception {
        try (Web web =
                Web.onDatabase(App.class, Apps.h2(), "sa", "semel.http.level=joined", "semel.http.streaming=pass")) {
            Got refused = web.post("/later", body, id);
            assertThat(refused.status()).isEqualTo(501);
            assertThat(refused.problem()).isEqualTo("unsupported");
            assertThat(web.bean(Till.Ledger.class).paid(id)).isZero();
            assertThat(web.send("POST", "/later", body).status()).isEqualTo(200);
        }
    }

    @Test
    void aStreamOfEventsMayPassAndLeavesATombstone() throws Exception {
        try (Web web = Web.onDatabase(App.class, Apps.h2(), "sa", "semel.http.streaming=pass")) {
            assertThat(web.post("/events", body, id).text()).contains("data:paid 1");
            assertThat(web.post("/events", body, id).problem()).isEqualTo("result-unavailable");
            assertThat(web.bean(Till.Ledger.class).paid(id)).isOne();
        }
    }

    @Test
    void aTransactionThatAFilterInFrontHasBegunIsRefused() throws Exception {
        try (Web web = Web.onDatabase(WithTransactionInFront.class, Apps.h2(), "sa")) {
            Got refused = web.post("/pay", body, id);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("store-unavailable");
            assertThat(web.bean(Till.Ledger.class).paid(id)).isZero();
        }
    }
}
