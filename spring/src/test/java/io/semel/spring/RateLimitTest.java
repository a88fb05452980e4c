// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A limiter of requests, in front of Semel's filter or behind it. */
class RateLimitTest {

    private final String key = UUID.randomUUID().toString();

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Orders.class)
    static class App {

        /** Lets two requests through. */
        @Bean
        FilterRegistrationBean<?> limiter() {
            AtomicInteger left = new AtomicInteger(2);
            var registration = new FilterRegistrationBean<>((request, response, chain) -> {
                if (left.getAndDecrement() > 0) {
                    chain.doFilter(request, response);
                } else {
                    ((HttpServletResponse) response).setStatus(429);
                }
            });
            registration.setOrder(100);
            return registration;
        }
    }

    @RestController
    static class Orders {

        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/orders")
        String order() {
            return "run " + runs.incrementAndGet();
        }
    }

    @Test
    void inFrontALimiterCountsReplaysToo() throws Exception {
        try (Web web = Web.start(App.class, Web.WITHOUT_SECURITY, "semel.store=memory")) {
            assertThat(web.post("/orders", "{}", key).text()).isEqualTo("run 1");
            assertThat(web.post("/orders", "{}", key).replayed()).isTrue();
            assertThat(web.post("/orders", "{}", key).status()).isEqualTo(429);
        }
    }

    @Test
    void behindALimiterCountsOnlyWhatRunsAndItsRefusalIsNotRecorded() throws Exception {
        try (Web web = Web.start(App.class, Web.WITHOUT_SECURITY, "semel.store=memory", "semel.http.order=99")) {
            assertThat(web.post("/orders", "{}", key).text()).isEqualTo("run 1");
            for (int i = 0; i < 5; i++) {
                assertThat(web.post("/orders", "{}", key).replayed()).isTrue();
            }
            assertThat(web.post("/orders", "{}", "second").text()).isEqualTo("run 2");
            assertThat(web.post("/orders", "{}", "third").status()).isEqualTo(429);
            assertThat(web.post("/orders", "{}", "third").replayed()).isFalse();
            assertThat(web.post("/orders", "{}", key).text()).isEqualTo("run 1");
        }
    }
}
