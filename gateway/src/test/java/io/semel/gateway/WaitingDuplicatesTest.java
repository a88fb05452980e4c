// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.store.OpenStore;
import io.semel.memory.MemoryStore;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Duplicates that wait in the gateway, as operators see them. */
@Timeout(60)
class WaitingDuplicatesTest {

    private static final int CLIENTS = 10;

    @TempDir
    private static Path directory;

    private final OpenStore open = OpenStore.of(new MemoryStore(), "memory");
    private final Console console = new Console(open, new AuditLog(directory.resolve("audit.log")));
    private final CountDownLatch go = new CountDownLatch(1);
    private GatewayFixture rig;

    @AfterEach
    void stop() {
        go.countDown();
        rig.close();
    }

    private void with(String patience) {
        rig = new GatewayFixture(
                "routes: [{path: /payments, waitWhenBusy: " + patience + "}]",
                Engine.on(open.store()).withListener(console));
        console.watch(rig.gateway);
        rig.origin.behaviour = (exchange, body, effect) -> {
            CountingService.await(go);
            CountingService.created(exchange, body, effect);
        };
    }

    private CompletableFuture<HttpResponse<String>> first() throws Exception {
        CompletableFuture<HttpResponse<String>> first = rig.paying("slow");
        assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
        return first;
    }

    private List<CompletableFuture<HttpResponse<String>>> duplicates() {
        List<CompletableFuture<HttpResponse<String>>> duplicates = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            duplicates.add(rig.paying("slow"));
        }
        return duplicates;
    }

    private JsonNode outcomes() {
        return console.get("/api/status", Map.of()).body().path("outcomes");
    }

    private JsonNode story() {
        return console.get("/api/key", Map.of("scope", "http/anonymous", "id", "slow"))
                .body();
    }

    @Test
    void aDuplicateThatWaitsInVainIsBusyOnceHoweverOftenTheStoreIsAsked() throws Exception {
        with("500ms");
        CompletableFuture<HttpResponse<String>> first = first();
        for (CompletableFuture<HttpResponse<String>> each : duplicates()) {
            assertThat(each.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(409);
        }

        assertThat(outcomes().path("busy").asInt()).isEqualTo(CLIENTS);
        assertThat(story().path("events")).hasSize(CLIENTS).allSatisfy(event -> {
            assertThat(event.path("event").asString()).isEqualTo("WasBusy");
            assertThat(event.path("waitedMicros").asLong()).isGreaterThanOrEqualTo(500_000);
        });
        go.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
    }

    @Test
    void aDuplicateThatWaitsForTheAnswerIsReplayedAndNotBusy() throws Exception {
        with("20s");
        CompletableFuture<HttpResponse<String>> first = first();
        List<CompletableFuture<HttpResponse<String>>> duplicates = duplicates();
        while (rig.gateway.traffic().exchanges() < CLIENTS + 1) {
            Thread.onSpinWait();
        }
        go.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        for (CompletableFuture<HttpResponse<String>> each : duplicates) {
            assertThat(each.get(30, TimeUnit.SECONDS).body()).isEqualTo("effect 1");
        }

        assertThat(outcomes().path("busy").asInt()).isZero();
        assertThat(outcomes().path("replayed").asInt()).isEqualTo(CLIENTS);
        assertThat(story().path("events")).hasSize(CLIENTS + 1);
    }

    @Test
    void theStoryTellsMethodPathTraceAndFateOfEveryRequest() {
        with("1ms");
        go.countDown();
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        rig.pay("slow", "{}", "traceparent", "00-" + trace + "-00f067aa0ba902b7-01");
        rig.pay("slow", "{}", "traceparent", "00-not-a-trace");
        rig.pay("slow", "{\"other\":1}");

        assertThat(rig.origin.heads.get(0).get("Traceparent")).containsExactly("00-" + trace + "-00f067aa0ba902b7-01");
        JsonNode requests = story().path("requests");
        assertThat(requests)
                .extracting(each -> each.path("fate").asString())
                .containsExactly("forwarded", "replayed", "key-reused");
        assertThat(requests.path(0).path("trace").asString()).isEqualTo(trace);
        assertThat(requests.path(1).path("trace").isNull()).isTrue();
        assertThat(requests.path(0).path("method").asString()).isEqualTo("POST");
        assertThat(requests.path(0).path("path").asString()).isEqualTo("/payments");
        assertThat(console.get("/api/recent", Map.of()).body().at("/keys/0/id").asString())
                .isEqualTo("slow");
    }
}
