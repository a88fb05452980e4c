// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.spring.internal.setup.InvalidSetup;
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
        assertThatThrownBy(() -> onDatabase("semel.http.level=JOINED"))
                .hasRootCauseInstanceOf(InvalidSetup.class)
                .rootCause()
                .hasMessageContaining("reactive application");
    }

    private static Web onDatabase(String property) {
        return Web.start(
                WebFluxTest.App.class,
                WebApplicationType.REACTIVE,
                WebFluxTest.WITHOUT_SECURITY,
                "spring.datasource.url=" + Apps.h2(),
                "semel.jdbc.initialize-schema=true",
                property);
    }

    @Test
    void requestsAreNumberedInSessionsOfTheDatabase() throws Exception {
        try (Web web = onDatabase("semel.sessions.enabled=true")) {
            String id = SessionsTest.register(web);
            String first = SessionsTest.in(web, "/numbers", id, 1, 1).text();

            assertThat(SessionsTest.in(web, "/numbers", id, 1, 1).replayed()).isTrue();
            assertThat(SessionsTest.in(web, "/numbers", id, 1, 1).text()).isEqualTo(first);
            assertThat(SessionsTest.in(web, "/numbers", id, 2, 2).text()).isNotEqualTo(first);
            assertThat(SessionsTest.in(web, "/numbers", id, 1, 1).problem()).isEqualTo("session-stale");
            assertThat(SessionsTest.in(web, "/numbers", "other", 1, 1).problem())
                    .isEqualTo("session-unknown");
            assertThat(web.send("DELETE", "/.semel/sessions/" + id, "").status())
                    .isEqualTo(204);
        }
    }

    @Test
    void sessionsHaveSettingsOfTheirOwnAndStandBehindTheBasePath() throws Exception {
        try (Web web = Web.start(
                WebFluxTest.App.class,
                WebApplicationType.REACTIVE,
                WebFluxTest.WITHOUT_SECURITY,
                "semel.store=memory",
                "spring.webflux.base-path=/shop",
                "semel.http.paths=/numbers",
                "semel.sessions.enabled=true",
                "semel.sessions.lease=2m",
                "semel.sessions.window=8",
                "semel.sessions.mode=strict",
                "semel.sessions.cap=1")) {
            Got registered = web.send("POST", "/shop/.semel/sessions", "");
            String id = SessionsTest.id(registered);

            assertThat(registered.text()).endsWith("\"leaseMillis\":120000,\"window\":8,\"mode\":\"strict\"}");
            assertThat(registered.header("Location")).isEqualTo("/shop/.semel/sessions/" + id);
            assertThat(web.send("POST", "/shop/.semel/sessions", "").problem()).isEqualTo("sessions-full");
            assertThat(SessionsTest.in(web, "/shop/numbers", id, 2, 1).problem())
                    .isEqualTo("session-out-of-order");
            assertThat(SessionsTest.in(web, "/shop/refunds/7", id, 1, 1).status())
                    .isEqualTo(200);
            assertThat(SessionsTest.in(web, "/shop/refunds/7", id, 1, 1).replayed())
                    .isTrue();
            assertThat(web.send("PUT", "/shop/.semel/sessions/" + id, "").status())
                    .isEqualTo(200);
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
