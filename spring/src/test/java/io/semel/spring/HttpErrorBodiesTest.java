// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.Till.Order;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** With a key, an error has the body that it has without one. */
class HttpErrorBodiesTest {

    @RestController
    static class Failing {

        @PostMapping("/refused")
        String refuse(@RequestBody Order order) {
            throw new ResponseStatusException(HttpStatusCode.valueOf(422), "Not so.");
        }

        @PostMapping("/away")
        String away(@RequestBody Order order) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "Not now.");
        }

        @PostMapping("/thrown")
        String thrown(@RequestBody Order order) {
            throw new IllegalStateException("for a test");
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Failing.class)
    static class App {}

    private static String[] requests() {
        String order = "{\"id\":\"1\",\"cents\":5}";
        return new String[] {
            "/refused", order, "/away", order, "/thrown", order, "/refused", "no JSON", "/nowhere", order,
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.web.error.include-message=always", "spring.mvc.problemdetails.enabled=true"})
    void inMemory(String property) throws Exception {
        try (Web web =
                Web.start(App.class, Web.WITHOUT_SECURITY + "," + Boot.DATABASE, "semel.store=memory", property)) {
            compare(web);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"semel.http.level=joined", "semel.http.level=leased"})
    void inADatabase(String property) throws Exception {
        try (Web web = Web.onDatabase(App.class, Apps.h2(), "sa", property, "spring.web.error.path=/oops")) {
            compare(web);
        }
    }

    private static void compare(Web web) throws Exception {
        String[] requests = requests();
        for (int i = 0; i < requests.length; i += 2) {
            Got without = web.send("POST", requests[i], requests[i + 1]);
            String key = UUID.randomUUID().toString();
            Got with = web.post(requests[i], requests[i + 1], key);
            Got retry = web.post(requests[i], requests[i + 1], key);
            String what = requests[i] + " " + requests[i + 1];
            assertThat(without.text()).as(what).isNotEmpty();
            for (Got got : new Got[] {with, retry}) {
                assertThat(got.status()).as(what).isEqualTo(without.status());
                assertThat(got.header("Content-Type")).as(what).isEqualTo(without.header("Content-Type"));
                assertThat(timeless(got)).as(what).isEqualTo(timeless(without));
            }
            if (with.status() < 500) {
                assertThat(retry.replayed()).as(what).isTrue();
                assertThat(retry.text()).isEqualTo(with.text());
            }
        }
    }

    private static String timeless(Got got) {
        return got.text().replaceAll("\"timestamp\":\"[^\"]*\"", "");
    }
}
