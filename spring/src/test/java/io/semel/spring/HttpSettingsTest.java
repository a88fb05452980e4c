// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.Caller;
import io.semel.http.HttpRules;
import io.semel.servlet.CallerResolver;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the properties under semel.http do, and what beans of the application come before them. */
@ExtendWith(OutputCaptureExtension.class)
class HttpSettingsTest {

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static CountDownLatch entered = new CountDownLatch(0);
    private static CountDownLatch open = new CountDownLatch(0);

    private final String key = UUID.randomUUID().toString();

    @RestController
    static class Counter {

        @PostMapping("/api/count")
        String count() {
            return "run " + RUNS.incrementAndGet();
        }

        @PutMapping("/api/count")
        String put() {
            return "run " + RUNS.incrementAndGet();
        }

        @PostMapping("/elsewhere")
        String elsewhere() {
            return "run " + RUNS.incrementAndGet();
        }

        @PostMapping("/status/{status}")
        ResponseEntity<String> status(@PathVariable int status) {
            return ResponseEntity.status(status).header("X-Run", "1").body("run " + RUNS.incrementAndGet());
        }

        @PostMapping("/slow")
        String slow() throws InterruptedException {
            entered.countDown();
            open.await();
            return "run " + RUNS.incrementAndGet();
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Counter.class)
    static class App {}

    static class WithBeans extends App {

        @Bean
        HttpRules rules() {
            return HttpRules.standard().keyHeaders("X-Request-Key");
        }

        @Bean
        CallerResolver callers() {
            return request -> Caller.of(String.valueOf(request.getHeader("X-User")));
        }
    }

    private static Web start(Class<?> app, String... properties) {
        String[] all = java.util.Arrays.copyOf(properties, properties.length + 2);
        all[properties.length] = "semel.store=memory";
        all[properties.length + 1] = Web.WITHOUT_SECURITY + "," + Boot.DATABASE;
        return Web.start(app, all);
    }

    @Test
    void withoutSettingsEveryPathTakesKeysOfAnonymousCallers(CapturedOutput output) throws Exception {
        try (Web web = start(App.class)) {
            Got first = web.post("/api/count", "{}", key);
            assertThat(web.post("/api/count", "{}", key).text()).isEqualTo(first.text());
            assertThat(web.post("/elsewhere", "{}", key).status()).isEqualTo(422);
            assertThat(web.send("PUT", "/api/count", "{}", "Idempotency-Key", key)
                            .replayed())
                    .isFalse();
        }
        assertThat(output)
                .contains(
                        "Semel guards HTTP requests with an idempotency key under /**. Level BEST_EFFORT: the answer is"
                                + " recorded after its handler has ended, before the first byte is sent.");
    }

    @Test
    void pathsMethodsHeadersAndKeysAreSettable() throws Exception {
        try (Web web = start(
                App.class,
                "semel.http.paths=/api/**",
                "semel.http.methods=PUT",
                "semel.http.keys=required",
                "semel.http.headers=X-Key",
                "semel.http.dialect=ietf",
                "semel.http.longest-key=8",
                "semel.http.advertise-retention=true",
                "semel.http.retention=1h",
                "semel.http.problem-base=https://example.org/problems/")) {
            assertThat(web.send("POST", "/elsewhere", "{}").status()).isEqualTo(200);
            assertThat(web.send("POST", "/api/count", "{}").status()).isEqualTo(200);
            assertThat(web.send("PUT", "/api/count", "{}").text())
                    .contains("\"https://example.org/problems/missing-key\"");
            assertThat(web.send("PUT", "/api/count", "{}", "X-Key", "raw").status())
                    .isEqualTo(400);
            assertThat(web.send("PUT", "/api/count", "{}", "X-Key", "\"too-long-a-key\"")
                            .status())
                    .isEqualTo(400);
            Got first = web.send("PUT", "/api/count", "{}", "X-Key", "\"a\"");
            assertThat(first.header("Idempotency-Key-Lifetime")).isEqualTo("3600");
            assertThat(web.send("PUT", "/api/count", "{}", "X-Key", "\"a\"").text())
                    .isEqualTo(first.text());
        }
    }

    @Test
    void comparisonStatusesAndHeadersAreSettable() throws Exception {
        try (Web web = start(
                App.class,
                "semel.http.bodies=meaning",
                "semel.http.ignored-members=/sentAt",
                "semel.http.largest-body=50B",
                "semel.http.mismatch-status=409",
                "semel.http.server-errors=record",
                "semel.http.statuses[404]=forget",
                "semel.http.replayed-headers=X-Run")) {
            Got first = web.post("/status/500", "{\"a\":1,\"sentAt\":1}", key);
            Got same = web.post("/status/500", "{ \"sentAt\":2, \"a\":1.0 }", key);
            assertThat(same.text()).isEqualTo(first.text());
            assertThat(same.header("X-Run")).isEqualTo("1");
            assertThat(web.post("/status/500", "{\"a\":2}", key).status()).isEqualTo(409);
            assertThat(web.post("/status/500", "{\"a\":\"" + "a".repeat(60) + "\"}", key)
                            .status())
                    .isEqualTo(413);
            assertThat(web.post("/status/404", "{}", key + "4").replayed()).isFalse();
            assertThat(web.post("/status/404", "{}", key + "4").replayed()).isFalse();
        }
    }

    @Test
    void aDuplicateOfARunningRequestIsToldToComeAgain() throws Exception {
        entered = new CountDownLatch(1);
        open = new CountDownLatch(1);
        ExecutorService client = Executors.newSingleThreadExecutor();
        try (Web web = start(App.class)) {
            Future<Got> first = client.submit(() -> web.post("/slow", "{}", key));
            entered.await();
            Got busy = web.post("/slow", "{}", key);
            assertThat(busy.status()).isEqualTo(409);
            assertThat(busy.problem()).isEqualTo("in-progress");
            assertThat(busy.header("Retry-After")).isNotEmpty();
            open.countDown();
            assertThat(first.get().status()).isEqualTo(200);
        } finally {
            open.countDown();
            client.shutdown();
        }
    }

    @Test
    void rulesAndCallersOfTheApplicationComeFirst() throws Exception {
        try (Web web = start(WithBeans.class, "semel.http.headers=X-Other")) {
            Got alice = web.send("POST", "/api/count", "{}", "X-Request-Key", key, "X-User", "alice");
            Got again = web.send("POST", "/api/count", "{}", "X-Request-Key", key, "X-User", "alice");
            Got bob = web.send("POST", "/api/count", "{}", "X-Request-Key", key, "X-User", "bob");
            assertThat(again.text()).isEqualTo(alice.text());
            assertThat(bob.text()).isNotEqualTo(alice.text());
        }
    }

    @Test
    void itCanBeSwitchedOff() throws Exception {
        try (Web web = start(App.class, "semel.http.enabled=false")) {
            Got first = web.post("/api/count", "{}", key);
            assertThat(web.post("/api/count", "{}", key).text()).isNotEqualTo(first.text());
        }
    }
}
