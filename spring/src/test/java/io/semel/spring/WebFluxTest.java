// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Attempt;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The starter in a reactive application, on Reactor Netty. */
class WebFluxTest {

    static final String WITHOUT_SECURITY = "spring.autoconfigure.exclude=" + Boot.REACTIVE_SECURITY;

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static Web web;

    private final String key = UUID.randomUUID().toString();

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Controller.class)
    static class App {}

    @RestController
    static class Controller {

        record Order(String id, long cents) {}

        @PostMapping("/orders")
        @ResponseStatus(HttpStatus.CREATED)
        Mono<String> order(@RequestBody Mono<Order> order) {
            return order.map(given -> given.id() + " is run " + RUNS.incrementAndGet());
        }

        @Idempotent(operation = "refund")
        @PostMapping("/refunds/{id}")
        public String refund(@PathVariable String id, @RequestAttribute("io.semel.attempt") Attempt attempt) {
            return id + " under " + attempt.key().id() + ", run " + RUNS.incrementAndGet();
        }

        @PostMapping("/numbers")
        Flux<Integer> numbers() {
            return Flux.range(RUNS.incrementAndGet(), 3);
        }

        @PostMapping("/events")
        Flux<ServerSentEvent<String>> events() {
            RUNS.incrementAndGet();
            return Flux.just(ServerSentEvent.builder("a").build());
        }

        @PostMapping("/refusals")
        Mono<String> refuse() {
            RUNS.incrementAndGet();
            return Mono.error(new IllegalArgumentException("not so"));
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
        String refused(IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    @BeforeAll
    static void start() {
        web = Web.start(
                App.class,
                WebApplicationType.REACTIVE,
                WITHOUT_SECURITY,
                "spring.datasource.url=" + Apps.h2(),
                "semel.jdbc.initialize-schema=true");
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    private void isRepeated(String path, int status) throws Exception {
        String order = "{\"id\":\"1\",\"cents\":5}";
        int runs = RUNS.get();
        Got first = web.post(path, order, key);
        Got retry = web.post(path, order, key);
        assertThat(first.status()).isEqualTo(status);
        assertThat(first.replayed()).isFalse();
        assertThat(retry.status()).isEqualTo(status);
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.text()).isEqualTo(first.text()).isNotEmpty();
        assertThat(RUNS).hasValue(runs + 1);
        assertThat(web.post(path, "{\"id\":\"2\",\"cents\":5}", key).problem()).isEqualTo("key-reused");
    }

    @Test
    void aRetryGetsTheFirstAnswer() throws Exception {
        isRepeated("/orders", 201);
    }

    @Test
    void theElementsOfAFluxAreRecordedWhole() throws Exception {
        isRepeated("/numbers", 200);
    }

    @Test
    void whatAnExceptionHandlerAnswersIsRecorded() throws Exception {
        isRepeated("/refusals", 402);
    }

    @Test
    void aMarkedHandlerRequiresAKeyAndFindsItsAttempt() throws Exception {
        assertThat(web.send("POST", "/refunds/7", "{}").problem()).isEqualTo("missing-key");
        assertThat(web.post("/refunds/7", "{}", key).text()).startsWith("7 under " + key);
        assertThat(web.post("/refunds/7", "{}", key).replayed()).isTrue();
    }

    @Test
    void anUnknownCharsetIsRefusedAndLeavesTheKeyFree() throws Exception {
        String order = "{\"id\":\"1\",\"cents\":5}";
        int runs = RUNS.get();
        String type = "application/json; charset=klingon";
        assertThat(web.send("POST", "/orders", order, "Idempotency-Key", key, "Content-Type", type)
                        .status())
                .isBetween(400, 499);
        assertThat(RUNS).hasValue(runs);
        assertThat(web.post("/orders", order, key).status()).isEqualTo(201);
        assertThat(web.post("/orders", order, key).replayed()).isTrue();
    }

    @Test
    void aStreamOfEventsIsRefusedBeforeItRuns() throws Exception {
        int runs = RUNS.get();
        assertThat(web.post("/events", "{}", key).problem()).isEqualTo("unsupported");
        assertThat(RUNS).hasValue(runs);
        assertThat(web.send("POST", "/events", "{}").text()).contains("data:a");
    }
}
