// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Health, as operators read it. */
class HealthTest {

    @SpringBootApplication(scanBasePackages = "nowhere")
    static class App {}

    @Test
    void healthSaysWhichStoreAndWhetherItAnswers() throws Exception {
        try (Web web = Web.onDatabase(App.class, Apps.h2(), "sa", "management.endpoint.health.show-details=always")) {
            Got up = web.send("GET", "/actuator/health/semel", "");
            assertThat(up.status()).isEqualTo(200);
            assertThat(up.text()).contains("\"level\":\"JOINED\"").contains("\"status\":\"UP\"");

            web.bean(HikariDataSource.class).close();

            Got down = web.send("GET", "/actuator/health/semel", "");
            assertThat(down.status()).isEqualTo(503);
            assertThat(down.text()).contains("\"status\":\"DOWN\"");
        }
    }
}
