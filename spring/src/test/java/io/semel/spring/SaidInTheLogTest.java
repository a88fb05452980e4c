// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.NotDone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** What an application says by itself, without a line of its own about logs. */
@ExtendWith(OutputCaptureExtension.class)
class SaidInTheLogTest {

    static class Shop {

        @Idempotent(operation = "order", key = "#id")
        public String order(String id, int pieces) {
            return pieces + " of " + id;
        }

        @Idempotent(operation = "mail", key = "#id", whenAbandoned = Abandoned.RERUN)
        public String mail(String id) {
            return "mailed " + id;
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Shop.class)
    static class App {}

    /** As users start it: whoever starts it sets up its logs. */
    private static ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .properties("semel.store=memory", "spring.main.banner-mode=off")
                .run();
    }

    @Test
    void theStartSaysWhatBecomesOfAbandonedCalls(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start()) {
            context.getBean(Shop.class).order("a", 1);
            assertThat(output)
                    .containsPattern("abandoned calls are .*refused.*: order")
                    .containsPattern("executed again.*: mail");
        }
    }

    @Test
    void aRefusalIsALineWithItsKey(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start()) {
            Shop shop = context.getBean(Shop.class);
            shop.order("a", 1);
            assertThatThrownBy(() -> shop.order("a", 2)).isInstanceOf(NotDone.class);
            assertThat(output).containsPattern("INFO.*order: .*a was refused as MISMATCH");
        }
    }
}
