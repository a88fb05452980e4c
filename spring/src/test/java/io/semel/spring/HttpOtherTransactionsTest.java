// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.LostCommitTest.Fate;
import io.semel.spring.LostCommitTest.Fickle;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Handlers whose effect is not in the transaction of their request. */
@ExtendWith(OutputCaptureExtension.class)
class HttpOtherTransactionsTest {

    @RestController
    static class Handlers {

        private final AtomicInteger runs = new AtomicInteger();

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @PostMapping("/requires-new")
        public int requiresNew() {
            return runs.incrementAndGet();
        }

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @PostMapping("/not-supported")
        public int notSupported() {
            return runs.incrementAndGet();
        }

        @Transactional("other")
        @PostMapping("/other")
        public int other() {
            return runs.incrementAndGet();
        }

        @Transactional(readOnly = true)
        @PostMapping("/read-only")
        public int readOnly() {
            return runs.incrementAndGet();
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Handlers.class)
    static class App {

        @Bean
        @Primary
        JdbcTransactionManager first(DataSource database) {
            return new JdbcTransactionManager(database);
        }

        @Bean
        JdbcTransactionManager other(DataSource database) {
            return new JdbcTransactionManager(database);
        }
    }

    @Test
    void aHandlerThatWouldNotCommitWithItsRecordTakesNoKeysAndTheLogSaysWhy(CapturedOutput output) throws Exception {
        try (Web web = Web.onPostgres(App.class)) {
            for (String path : new String[] {"/requires-new", "/not-supported", "/other"}) {
                Got got = web.post(path, "{}", "k");
                assertThat(got.status()).as(path).isEqualTo(501);
                assertThat(got.problem()).isEqualTo("unsupported");
            }
            assertThat(output)
                    .contains("Handlers.requiresNew()")
                    .contains("Handlers.notSupported()")
                    .contains("uses the transaction manager 'other'")
                    .contains("level = LEASED");
            assertThat(web.bean(Handlers.class).readOnly()).isOne();
            assertThat(web.post("/read-only", "{}", "k").text()).isEqualTo("2");
            assertThat(web.post("/read-only", "{}", "k").replayed()).isTrue();
            assertThat(web.send("POST", "/requires-new", "{}").text()).isEqualTo("3");
        }
    }

    @Test
    void aLeasedRequestWhoseCommitWasDoneAlthoughItWasCutIsNotRunAgain() throws Exception {
        try (Web web = Web.onPostgres(HttpJoinedMatrix.App.class, "semel.http.level=leased")) {
            String id = UUID.randomUUID().toString();
            String body = "{\"id\":\"" + id + "\",\"cents\":5}";
            web.bean(Fickle.class).next(Fate.DONE_BUT_CUT);
            assertThat(web.post("/pay", body, id).status()).isEqualTo(500);
            Got retry = web.post("/pay", body, id);
            assertThat(retry.status()).isEqualTo(409);
            assertThat(retry.problem()).isEqualTo("outcome-unknown");
            assertThat(web.bean(Till.Ledger.class).paid(id)).isOne();
        }
    }
}
