// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.NotDone;
import io.semel.Rejection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What clients get where a handler has called a method in vain. */
class NotDoneAdviceTest {

    private static final String NO_DATABASE = Web.WITHOUT_SECURITY + "," + Boot.DATABASE;

    static class Service {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        void awaitEntered() throws InterruptedException {
            entered.await();
        }

        void open() {
            open.countDown();
        }

        @Idempotent(key = "#id", operation = "pay")
        public String pay(String id, int cents) throws InterruptedException {
            if (cents == 0) {
                entered.countDown();
                open.await();
            }
            if (cents < 0) {
                throw new Rejection("negative", "Nobody pays that.");
            }
            return "paid " + cents;
        }
    }

    @RestController
    static class Controller {

        private final Service service;

        Controller(Service service) {
            this.service = service;
        }

        @PostMapping("/pay")
        String pay(@RequestParam String id, @RequestParam int cents) throws InterruptedException {
            return service.pay(id, cents);
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Controller.class)
    static class App {

        @Bean
        Service service() {
            return new Service();
        }
    }

    @RestControllerAdvice
    static class Own {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
        String mine(NotDone e) {
            return "mine";
        }
    }

    @Import(Own.class)
    static class WithOwnAdvice extends App {}

    @Test
    void aMismatchIsA422AndABusyKeyA409ThatSaysWhenToRetry() throws Exception {
        try (Web web = Web.start(App.class, NO_DATABASE, "semel.store=memory")) {
            CompletableFuture<Got> first = CompletableFuture.supplyAsync(() -> send(web, "/pay?id=1&cents=0"));
            web.bean(Service.class).awaitEntered();

            Got busy = send(web, "/pay?id=1&cents=0");
            assertThat(busy.status()).isEqualTo(409);
            assertThat(busy.problem()).isEqualTo("in-progress");
            assertThat(busy.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(Integer.parseInt(busy.header("Retry-After"))).isPositive();

            Got other = send(web, "/pay?id=1&cents=5");
            assertThat(other.status()).isEqualTo(422);
            assertThat(other.problem()).isEqualTo("key-reused");
            assertThat(other.header("Retry-After")).isEmpty();

            web.bean(Service.class).open();
            assertThat(first.join().text()).isEqualTo("paid 0");
        }
    }

    @Test
    void aRejectionIsA422WithItsWords() throws Exception {
        try (Web web = Web.start(App.class, NO_DATABASE, "semel.store=memory")) {
            for (int i = 0; i < 2; i++) {
                Got rejected = send(web, "/pay?id=1&cents=-1");
                assertThat(rejected.status()).isEqualTo(422);
                assertThat(rejected.problem()).isEqualTo("rejected");
                assertThat(rejected.text()).contains("negative: Nobody pays that.");
            }
        }
    }

    @Test
    void soItIsInAReactiveApplication() throws Exception {
        try (Web web = Web.start(
                App.class,
                WebApplicationType.REACTIVE,
                WebFluxTest.WITHOUT_SECURITY + "," + Boot.DATABASE,
                "semel.store=memory")) {
            assertThat(send(web, "/pay?id=1&cents=1").text()).isEqualTo("paid 1");
            assertThat(send(web, "/pay?id=1&cents=2").problem()).isEqualTo("key-reused");
        }
    }

    @Test
    void anAdviceOfTheApplicationComesFirstAndItCanBeSwitchedOff() throws Exception {
        try (Web web = Web.start(WithOwnAdvice.class, NO_DATABASE, "semel.store=memory")) {
            send(web, "/pay?id=1&cents=1");
            assertThat(send(web, "/pay?id=1&cents=2").text()).isEqualTo("mine");
        }
        try (Web web = Web.start(App.class, NO_DATABASE, "semel.store=memory", "semel.problem-details=false")) {
            send(web, "/pay?id=1&cents=1");
            assertThat(send(web, "/pay?id=1&cents=2").status()).isEqualTo(500);
        }
    }

    private static Got send(Web web, String path) {
        try {
            return web.send("POST", path, "");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
