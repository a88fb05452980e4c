// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.LostCommitTest.Fate;
import io.semel.spring.LostCommitTest.Fickle;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Leased requests whose handler answers in another thread, where its commit may have been done. */
@Timeout(120)
class LaterRequestsTest {

    private static Web web;

    private final String id = UUID.randomUUID().toString();
    private final String body = "{\"id\":\"" + id + "\",\"cents\":5}";

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Controller.class)
    static class App {

        @Bean
        Fickle transactionManager(DataSource database) {
            return new Fickle(database);
        }

        @Bean
        Till.Ledger ledger(JdbcClient database) {
            return new Till.Ledger(database);
        }
    }

    @RestController
    static class Controller {

        private final Till.Ledger ledger;
        private final AtomicInteger waiting = new AtomicInteger();

        Controller(Till.Ledger ledger) {
            this.ledger = ledger;
        }

        @PostMapping("/future")
        CompletableFuture<Till.Paid> future(@RequestBody Till.Order order) {
            return CompletableFuture.supplyAsync(() -> ledger.pay(order));
        }

        @PostMapping("/callable")
        Callable<Till.Paid> callable(@RequestBody Till.Order order) {
            return () -> ledger.pay(order);
        }

        @PostMapping("/swallows")
        Callable<ResponseEntity<String>> swallows(@RequestBody Till.Order order) {
            return () -> {
                try {
                    return ResponseEntity.ok("number " + ledger.pay(order).number());
                } catch (TransactionSystemException e) {
                    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body("Not now.");
                }
            };
        }

        @PostMapping("/waits")
        DeferredResult<String> waits() {
            waiting.incrementAndGet();
            return new DeferredResult<>(20L);
        }

        int waiting() {
            return waiting.get();
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
        String refused(DataAccessResourceFailureException e) {
            return "Not now.";
        }
    }

    @BeforeAll
    static void start() {
        web = Web.start(App.class, Web.WITHOUT_SECURITY, "spring.datasource.url=" + Apps.h2(), "semel.store=memory");
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    private void isUnknownAfter(Fate fate, String path) throws Exception {
        web.bean(Fickle.class).next(fate);
        web.post(path, body, id);

        Got retry = web.post(path, body, id);
        assertThat(retry.problem()).isEqualTo("outcome-unknown");
        assertThat(web.bean(Till.Ledger.class).paid(id)).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/swallows"})
    void aCommitInAnotherThreadThatWasDoneAlthoughItWasCutFreesNoKey(String path) throws Exception {
        isUnknownAfter(Fate.DONE_BUT_CUT, path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable"})
    void noMatterThatAnExceptionHandlerAnswers(String path) throws Exception {
        isUnknownAfter(Fate.DONE_BUT_CUT_IN_OTHER_WORDS, path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/callable", "/swallows"})
    void aCommitInAnotherThreadThatWasRefusedFreesTheKey(String path) throws Exception {
        web.bean(Fickle.class).next(Fate.DEADLOCK);
        assertThat(web.post(path, body, id).status()).isGreaterThanOrEqualTo(500);

        assertThat(web.post(path, body, id).status()).isEqualTo(200);
        assertThat(web.post(path, body, id).replayed()).isTrue();
        assertThat(web.bean(Till.Ledger.class).paid(id)).isOne();
    }

    @Test
    void aHandlerWhoseTimeIsOverMayGoOnSoItsKeyIsNotFree() throws Exception {
        assertThat(web.post("/waits", body, id).problem()).isEqualTo("outcome-unknown");

        assertThat(web.post("/waits", body, id).problem()).isEqualTo("outcome-unknown");
        assertThat(web.bean(Controller.class).waiting()).isOne();
    }
}
