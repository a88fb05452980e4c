// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Reactive applications with settings; apart from the others, because the end of one stops the event loops of all. */
@ExtendWith(OutputCaptureExtension.class)
class WebFluxStartTest {

    @Test
    void whatAReactiveApplicationCannotHaveStopsTheStart() {
        for (String property : List.of("semel.http.level=JOINED", "semel.sessions.enabled=true")) {
            assertThatThrownBy(() -> Web.start(
                            WebFluxTest.App.class,
                            WebApplicationType.REACTIVE,
                            WebFluxTest.WITHOUT_SECURITY,
                            "spring.datasource.url=" + Apps.h2(),
                            "semel.jdbc.initialize-schema=true",
                            property))
                    .hasRootCauseInstanceOf(Misuse.class)
                    .rootCause()
                    .hasMessageContaining("reactive application");
        }
    }

    @Test
    void pathsThatAreNotNamedTakeNoKeysAndTheLogSaysTheLevel(CapturedOutput output) throws Exception {
        try (Web other = Web.start(
                WebFluxTest.App.class,
                WebApplicationType.REACTIVE,
                WebFluxTest.WITHOUT_SECURITY,
                "semel.store=memory",
                "semel.http.paths=/numbers",
                "semel.http.level=BEST_EFFORT")) {
            assertThat(output).contains("guards HTTP requests").contains("Level BEST_EFFORT");
            String order = "{\"id\":\"1\",\"cents\":5}";
            assertThat(other.post("/orders", order, "a").status()).isEqualTo(201);
            assertThat(other.post("/orders", order, "a").replayed()).isFalse();
        }
    }
}
