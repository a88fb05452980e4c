// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Level;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** What is refused at start-up because it could not be kept. */
class HttpRefusalTest {

    private static WebApplicationContextRunner app() {
        return new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SemelAutoConfiguration.class, SemelHttpAutoConfiguration.class))
                .withConfiguration(Boot.auto("WebMvc"));
    }

    private static WebApplicationContextRunner onH2() {
        return app().withConfiguration(Boot.auto("DataSource", "DataSourceTransactionManager"))
                .withPropertyValues(
                        "spring.datasource.url=" + Apps.h2(),
                        "spring.datasource.hikari.minimum-idle=0",
                        "semel.jdbc.initialize-schema=true");
    }

    private static void fails(WebApplicationContextRunner app, String... parts) {
        app.run(context -> {
            assertThat(context).hasFailed();
            StringBuilder all = new StringBuilder();
            for (Throwable each = context.getStartupFailure(); each != null; each = each.getCause()) {
                all.append(each.getMessage()).append('\n');
            }
            assertThat(all).contains(parts);
        });
    }

    @RestController
    static class Scoped {

        @Idempotent(scope = "'all'")
        @PostMapping("/scoped")
        public void handle() {}
    }

    @RestController
    static class Reading {

        @Idempotent
        @GetMapping("/reading")
        public void handle() {}
    }

    @RestController
    static class ByParameter {

        @Idempotent
        @PostMapping(path = "/by-parameter", params = "mode=x")
        public void handle() {}
    }

    @RestController
    static class Later {

        @Idempotent
        @PostMapping("/later")
        public CompletableFuture<String> handle() {
            return CompletableFuture.completedFuture("");
        }
    }

    @RestController
    static class Events {

        @Idempotent(level = Level.LEASED)
        @PostMapping("/events")
        public SseEmitter handle() {
            return new SseEmitter();
        }
    }

    @RestController
    static class Apart {

        @Idempotent
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @PostMapping("/apart")
        public void handle() {}
    }

    @RestController
    static class OnlyReading {

        @Idempotent
        @Transactional(readOnly = true)
        @PostMapping("/only-reading")
        public void handle() {}
    }

    @RestController
    static class Demanding {

        @Idempotent(level = Level.JOINED)
        @PostMapping("/demanding")
        public void handle() {}
    }

    @RestController
    static class WithKey {

        private int runs;

        @Idempotent(key = "#id")
        @PostMapping("/with-key")
        public String handle(String id) {
            runs++;
            return "run " + runs;
        }
    }

    @Test
    void whatAnHttpKeyHasOtherRulesFor() {
        fails(
                app().withBean(Scoped.class),
                "Scoped.handle()",
                "Remove scope, fingerprint, reconcile and recordExceptions");
        fails(app().withBean(Reading.class), "Reading.handle()", "Remove @Idempotent");
        fails(app().withBean(ByParameter.class), "ByParameter.handle()", "Map it by its path");
        fails(app().withBean(Events.class), "Events.handle()", "semel.http.streaming=pass");
    }

    @Test
    void whatATransactionCannotSpan() {
        fails(onH2().withBean(Later.class), "Later.handle()", "Demand level = LEASED");
        fails(onH2().withBean(Apart.class), "Apart.handle()", "REQUIRED or MANDATORY");
        fails(onH2().withBean(OnlyReading.class), "OnlyReading.handle()", "readOnly");
    }

    @Test
    void aLevelThatTheStoreDoesNotGive() {
        fails(app().withBean(Demanding.class), "JOINED", "MemoryStore gives only BEST_EFFORT");
        fails(app().withPropertyValues("semel.http.level=leased"), "LEASED", "semel.http.level");
    }

    @Test
    void settingsThatContradictEachOther() {
        fails(app().withPropertyValues("semel.http.ignored-members=/a"), "ignored-members", "bodies");
        fails(app().withPropertyValues("semel.http.statuses[401]=record"), "401", "never recorded");
    }

    @Test
    void aMarkedHandlerWhereNothingGuardsRequests() {
        fails(
                app().withPropertyValues("semel.http.enabled=false").withBean(Later.class),
                "Later.handle()",
                "Add semel-servlet");
        fails(
                app().withClassLoader(new FilteredClassLoader("io.semel.servlet"))
                        .withBean(Later.class),
                "Later.handle()",
                "Add semel-servlet");
    }

    @Test
    void aHandlerThatSaysWhatItsKeyIsIsAMethodLikeAnyOther() {
        app().withBean(WithKey.class).run(context -> {
            WithKey bean = context.getBean(WithKey.class);
            assertThat(bean.handle("1")).isEqualTo(bean.handle("1")).isNotEqualTo(bean.handle("2"));
        });
    }
}
