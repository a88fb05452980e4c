// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Level;
import io.semel.NotDone;
import io.semel.Outcome;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** LEASED calls whose transaction was committed, while those who are told of the commit throw. */
@ExtendWith(OutputCaptureExtension.class)
class AfterCommitTest {

    static final class Late extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Late(String message) {
            super(message);
        }
    }

    record Sold(String id) {}

    /** As services are: transactions begin here. */
    static class Shelf {

        private final JdbcClient database;
        private final ApplicationEventPublisher events;

        Shelf(JdbcClient database, ApplicationEventPublisher events) {
            this.database = database;
            this.events = events;
            database.sql("CREATE TABLE sale (id VARCHAR(100))").update();
        }

        @Transactional
        public void sell(String id) {
            throwAfterCommit();
            insert(id);
        }

        @Transactional
        public void sellAndTell(String id) {
            events.publishEvent(new Sold(id));
            insert(id);
        }

        @Transactional(label = "watched")
        public void sellWatched(String id) {
            insert(id);
        }

        @Transactional(readOnly = true)
        public int look(String id) {
            throwAfterCommit();
            return sales(id);
        }

        private void insert(String id) {
            database.sql("INSERT INTO sale VALUES (?)").param(id).update();
        }

        private static void throwAfterCommit() {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new Late("for a test");
                }
            });
        }

        int sales(String id) {
            return database.sql("SELECT COUNT(*) FROM sale WHERE id = ?")
                    .param(id)
                    .query(Integer.class)
                    .single();
        }
    }

    @RestController
    static class Shop {

        private final Shelf shelf;

        Shop(Shelf shelf) {
            this.shelf = shelf;
        }

        @PostMapping("/thrown")
        String thrown(@RequestParam String id) {
            shelf.sell(id);
            return "sold";
        }

        @PostMapping("/answered")
        ResponseEntity<String> answered(@RequestParam String id, @RequestParam int status) {
            try {
                shelf.sell(id);
            } catch (Late late) {
                return ResponseEntity.status(status).body("late");
            }
            throw new AssertionError("It always fails.");
        }

        @PostMapping("/advised")
        String advised(@RequestParam String id) {
            try {
                shelf.sell(id);
            } catch (Late late) {
                throw new IllegalStateException(late);
            }
            return "sold";
        }

        @PostMapping("/told")
        String told(@RequestParam String id) {
            shelf.sellAndTell(id);
            return "sold";
        }

        @PostMapping("/watched")
        String watched(@RequestParam String id) {
            shelf.sellWatched(id);
            return "sold";
        }

        @PostMapping("/looked")
        String looked(@RequestParam String id) {
            shelf.look(id);
            return "seen";
        }

        @ExceptionHandler
        ResponseEntity<String> unavailable(IllegalStateException e) {
            return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body("not now");
        }
    }

    /** Calls services without a transaction of its own. */
    static class Counter {

        private final Shelf shelf;

        Counter(Shelf shelf) {
            this.shelf = shelf;
        }

        @Idempotent(operation = "sell", level = Level.LEASED)
        public String sell(String id) {
            shelf.sell(id);
            return "sold";
        }

        @Idempotent(operation = "sell later", level = Level.LEASED)
        public CompletableFuture<String> sellLater(String id) {
            shelf.sell(id);
            return CompletableFuture.completedFuture("sold");
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Shop.class)
    static class App {

        @Bean
        Shelf shelf(JdbcClient database, ApplicationEventPublisher events) {
            return new Shelf(database, events);
        }

        @Bean
        Counter counter(Shelf shelf) {
            return new Counter(shelf);
        }

        @Bean
        Telling telling() {
            return new Telling();
        }

        @Bean
        TransactionExecutionListener watching() {
            return new TransactionExecutionListener() {
                @Override
                public void afterCommit(TransactionExecution transaction, Throwable failure) {
                    if (transaction.getTransactionName().endsWith("sellWatched")) {
                        throw new Late("for a test");
                    }
                }
            };
        }
    }

    static class Telling {

        @TransactionalEventListener
        public void on(Sold sold) {
            throw new Late("for a test");
        }
    }

    private static Web web;
    private final String id = UUID.randomUUID().toString();

    @BeforeAll
    static void start() {
        web = Web.onDatabase(App.class, Apps.h2(), "sa", "semel.http.level=leased");
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    private Got post(String path) throws Exception {
        return web.post(path + (path.contains("?") ? "&" : "?") + "id=" + id, "", id);
    }

    private int sales() {
        return web.bean(Shelf.class).sales(id);
    }

    private void assertUnknownAfter(String path) throws Exception {
        post(path);
        assertThat(post(path).problem()).isEqualTo("outcome-unknown");
        assertThat(sales()).isOne();
    }

    @Test
    void aRequestThatThrowsIsNotForgotten() throws Exception {
        assertUnknownAfter("/thrown");
    }

    @Test
    void aRequestThatAnExceptionHandlerAnswersIsNotForgotten() throws Exception {
        assertUnknownAfter("/advised");
    }

    @Test
    void aRequestThatAnswersWithAnErrorOfTheServerIsNotForgotten() throws Exception {
        assertUnknownAfter("/answered?status=500");
    }

    @Test
    void aRequestWhoseListenerForTransactionsThrowsIsNotForgotten() throws Exception {
        assertUnknownAfter("/watched");
    }

    @Test
    void aHandlerThatMakesGoodAnswersAsUsual() throws Exception {
        assertThat(post("/answered?status=201").status()).isEqualTo(201);
        assertThat(post("/answered?status=201").replayed()).isTrue();
        assertThat(sales()).isOne();
    }

    @Test
    void aListenerForAnEventIsHeardOfBySpringAndCostsNothing() throws Exception {
        assertThat(post("/told").text()).isEqualTo("sold");
        assertThat(post("/told").replayed()).isTrue();
        assertThat(sales()).isOne();
    }

    @Test
    void whereNothingWasWrittenThrowingForgets() throws Exception {
        assertThat(post("/looked").status()).isEqualTo(500);
        assertThat(post("/looked").status()).isEqualTo(500);
    }

    @Test
    void aMethodWithoutATransactionOfItsOwnIsNotForgotten() {
        Counter counter = web.bean(Counter.class);

        assertThatThrownBy(() -> counter.sell(id)).isInstanceOf(Late.class);
        assertThatThrownBy(() -> counter.sell(id)).satisfies(AfterCommitTest::assertUnknown);
        assertThat(sales()).isOne();
    }

    @Test
    void aFutureOfAMethodWithoutATransactionOfItsOwnIsNotForgotten() {
        Counter counter = web.bean(Counter.class);

        assertThatThrownBy(() -> counter.sellLater(id).join()).hasCauseInstanceOf(Late.class);
        assertThatThrownBy(() -> counter.sellLater(id).join()).cause().satisfies(AfterCommitTest::assertUnknown);
        assertThat(sales()).isOne();
    }

    @Test
    void whereTheRecordIsInTheTransactionTheAnswerStandsAndTheLogSaysWhatFailed(CapturedOutput output)
            throws Exception {
        try (Web joined = Web.onDatabase(App.class, Apps.h2(), "sa")) {
            String path = "/thrown?id=" + id;
            assertThat(joined.post(path, "", id).text()).isEqualTo("sold");
            assertThat(joined.post(path, "", id).replayed()).isTrue();
            assertThat(joined.bean(Shelf.class).sales(id)).isOne();
        }
        assertThat(output).contains("was committed, but a step after the commit failed");
    }

    private static void assertUnknown(Throwable thrown) {
        assertThat(((NotDone) thrown).outcome()).isEqualTo(new Outcome.Refused<>(Outcome.Reason.UNKNOWN));
    }
}
