// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.Key;
import io.semel.gateway.admin.AdminServer;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.Address;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import io.semel.observe.KeyHashes;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What operators are told of a service that falls silent: at once, and the same everywhere. */
@Timeout(60)
class CountedSilenceTest {

    @TempDir
    private static Path directory;

    private final OpenStore open = StoreUrl.open(List.of("memory:"), false);
    private final Console console = new Console(open, new AuditLog(directory.resolve("audit.log")));
    private final GatewayFixture rig = new GatewayFixture(
            "routes: [{path: /payments, name: pay}]", Engine.on(open.store()).withListener(console));
    private final AdminServer admin = AdminServer.start(Address.of("127.0.0.1:0"), null, console);
    private final CapturedLog lines = new CapturedLog("io.semel");

    @BeforeEach
    void watch() {
        console.watch(rig.gateway);
        rig.origin.behaviour = CountingService::hangUp;
    }

    @AfterEach
    void stop() {
        lines.close();
        admin.close();
        rig.close();
        open.close();
    }

    private String ask(String path) {
        URI uri = URI.create("http://127.0.0.1:" + admin.address().getPort() + path);
        return rig.send(HttpRequest.newBuilder(uri).build()).body();
    }

    private JsonNode told(String path) {
        return JsonMapper.shared().readTree(ask(path));
    }

    @Test
    void aSilentServiceIsCountedTheSameEverywhereBeforeAnyRetry() {
        rig.pay("a");
        rig.send(rig.to("/payments").GET().build());

        assertThat(console.outcomes()).containsEntry("unknown", 1L);
        assertThat(told("/api/status").path("outcomes").path("unknown").asInt()).isEqualTo(1);
        assertThat(told("/api/counts").path("lapsed").asInt()).isEqualTo(1);
        assertThat(told("/api/doctor").path("counts").path("lapsed").asInt()).isEqualTo(1);
        assertThat(told("/health").path("lapsed").asInt(-1)).isEqualTo(1);
        assertThat(told("/health").path("unknown").asInt(-1)).isZero();
        assertThat(ask("/metrics"))
                .contains("semel_calls_total{operation=\"pay\",outcome=\"unknown\"} 1.0")
                .contains("semel_slots{state=\"lapsed\"} 1.0")
                .contains("semel_slots{state=\"unknown\"} 0.0");
    }

    @Test
    void everyRequestWithAKeyIsInOneOutcomeOfTheMetrics() {
        rig.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 500, "");
        rig.pay("forgotten");
        rig.origin.behaviour = CountingService::created;
        rig.pay("kept");
        try (GatewayFixture holding = new GatewayFixture(
                "routes: [{path: /payments, name: pay, serverErrors: hold}]",
                Engine.on(open.store()).withListener(console))) {
            holding.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 500, "");
            holding.pay("held");
            holding.pay("held");
        }

        double sum = ask("/metrics")
                .lines()
                .filter(line -> line.startsWith("semel_calls_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
        assertThat(sum).isEqualTo(4);
        assertThat(ask("/metrics"))
                .contains("semel_calls_total{operation=\"pay\",outcome=\"unknown\"} 2.0")
                .contains("semel_calls_total{operation=\"pay\",outcome=\"released\"} 1.0")
                .contains("semel_incidents_total{kind=\"held_unknown\",operation=\"pay\"} 1.0")
                .contains("# HELP semel_gateway_requests_total ")
                .contains("semel_gateway_requests_total{kind=\"quota_used_up\"} 0.0");
        assertThat(console.outcomes()).containsEntry("unknown", 2L).containsEntry("released", 1L);
    }

    @Test
    @Timeout(30)
    void theLastRequestsTellHowTheyEnded() {
        rig.origin.behaviour = CountingService::created;
        rig.pay("kept");
        rig.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 500, "");
        rig.pay("forgotten");
        rig.origin.behaviour = CountingService::hangUp;
        rig.pay("silent");

        // A client may have its answer just before that is noted.
        JsonNode keys = told("/api/recent").path("keys");
        while (keys.path(0).path("status").asInt(0) == 0) {
            keys = told("/api/recent").path("keys");
        }

        assertThat(keys).extracting(key -> key.path("id").asString()).containsExactly("silent", "forgotten", "kept");
        assertThat(keys).extracting(key -> key.path("status").asInt(0)).containsExactly(409, 500, 201);
        assertThat(keys)
                .extracting(key -> key.path("outcome").asString(""))
                .containsExactly("unknown", "released", "executed");
    }

    @Test
    void aSilentServiceIsOneWarningWithWhatToDo() {
        String id = rig.pay("a").headers().firstValue("X-Request-Id").orElseThrow();

        assertThat(lines.written())
                .singleElement()
                .asString()
                .startsWith("WARNING pay: nobody knows whether http/anonymous/a (hash "
                        + KeyHashes.hash(Key.of("http/anonymous", "a")) + ", fence ")
                .contains("its service fell silent", "[request " + id + "]", "resolve or release the key");
    }

    @Test
    void theStoryOfAKeyTellsWhatRanAndWithWhichFence() {
        String first = rig.pay("a").headers().firstValue("X-Request-Id").orElseThrow();
        rig.pay("a");
        String fence = rig.origin.heads.get(0).get("Semel-fence").get(0);

        JsonNode key = told("/api/key?scope=http/anonymous&id=a");

        assertThat(key.path("attempts").asInt()).as("claims").isEqualTo(2);
        assertThat(key.path("fence").asLong()).isGreaterThan(Long.parseLong(fence));
        assertThat(key.path("runs")).hasSize(1);
        JsonNode run = key.path("runs").path(0);
        assertThat(run.path("fence").asString()).isEqualTo(fence);
        assertThat(run.path("ended").asString()).isEqualTo("silent");
        assertThat(run.path("request").asString()).isEqualTo(first);
    }

    @Test
    void aTakeOverThatRunsIsASecondRun() {
        try (GatewayFixture again = new GatewayFixture(
                "routes: [{path: /payments, whenSilent: rerun}]",
                Engine.on(open.store()).withListener(console))) {
            console.watch(again.gateway);
            again.origin.behaviour = CountingService::hangUp;
            again.pay("b");
            again.origin.behaviour = CountingService::created;
            again.pay("b");

            JsonNode runs = told("/api/key?scope=http/anonymous&id=b").path("runs");

            assertThat(runs).hasSize(2);
            for (int i = 0; i < 2; i++) {
                assertThat(runs.path(i).path("fence").asString())
                        .isEqualTo(again.origin.heads.get(i).get("Semel-fence").get(0));
            }
            assertThat(runs.path(0).path("ended").asString()).isEqualTo("silent");
            assertThat(runs.path(1).path("ended").asString()).isEqualTo("executed");
        }
    }

    @Test
    void aCallerWhoIsRefusedIsLoggedWithTheReasonAndTheRequest() {
        String id = rig.pay("a", "{}", "X-Api-Key", "hush")
                .headers()
                .firstValue("X-Request-Id")
                .orElseThrow();

        assertThat(lines.written())
                .singleElement()
                .asString()
                .startsWith("WARNING A request was refused as credential-not-configured.")
                .contains("scope.credentials", "[request " + id + "]")
                .doesNotContain("hush");
    }
}
