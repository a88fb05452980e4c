// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static io.semel.gateway.cli.Typed.semel;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.CountingService;
import io.semel.gateway.RawHttp;
import io.semel.gateway.RunningProgram;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway as people run it, in its own process, and what they can do about it. */
@Timeout(120)
class OperatorsTest {

    @TempDir
    private static Path directory;

    private static final CountingService ORIGIN = new CountingService();
    private static RunningProgram gateway;
    private static String url;
    private static String admin;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() {
        gateway = gateway("rocksdb:data");
        url = url(gateway);
        admin = admin(gateway);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        ORIGIN.close();
    }

    @BeforeEach
    void behave() {
        ORIGIN.behaviour = CountingService::created;
    }

    private static RunningProgram gateway(String store) {
        RunningProgram running = RunningProgram.semel(
                directory,
                "gateway",
                "--upstream",
                ORIGIN.url(),
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0",
                "--store",
                store);
        running.await("Ready");
        return running;
    }

    private static String url(RunningProgram running) {
        return running.await("gateway on (http://\\S+)").group(1);
    }

    private static String admin(RunningProgram running) {
        return running.await("Admin: +(http://\\S+)").group(1);
    }

    private HttpRequest payment(String key) {
        return HttpRequest.newBuilder(URI.create(url + "/pay"))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{}"))
                .build();
    }

    private HttpResponse<String> pay(String key) throws Exception {
        return client.send(payment(key), BodyHandlers.ofString());
    }

    private HttpResponse<String> ask(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(admin + path)).build(), BodyHandlers.ofString());
    }

    @Test
    void anUnknownOutcomeIsFoundAndResolvedByHandAndThatIsNoted() throws Exception {
        ORIGIN.behaviour = CountingService::hangUp;
        assertThat(pay("lost").body()).contains("outcome-unknown");
        assertThat(pay("lost").body()).contains("outcome-unknown");

        JsonNode found =
                JsonMapper.shared().readTree(semel(0, "keys", "list", "--view", "unknown", "--json", "--admin", admin));
        String scope = found.at("/keys/0/scope").asString();
        assertThat(found.at("/keys/0/id").asString()).isEqualTo("lost");
        String fence = found.at("/keys/0/fence").asString();
        assertThat(semel(1, "keys", "resolve", "lost", "--scope", scope, "--fence", "0", "--admin", admin))
                .contains("has changed");
        semel(
                0,
                "keys",
                "resolve",
                "lost",
                "--scope",
                scope,
                "--fence",
                fence,
                "--status",
                "201",
                "--body",
                "{\"by\":\"hand\"}",
                "--operator",
                "ann",
                "--admin",
                admin);

        HttpResponse<String> retry = pay("lost");
        assertThat(retry.statusCode()).isEqualTo(201);
        assertThat(retry.body()).isEqualTo("{\"by\":\"hand\"}");
        assertThat(semel(1, "keys", "release", "lost", "--scope", scope, "--admin", admin))
                .contains("is settled already");
        assertThat(ask("/api/audit").body()).contains("\"operator\":\"ann\"", "\"act\":\"resolve\"", "APPLIED");
        assertThat(Files.readString(directory.resolve("data/audit.log"))).contains("ann");
        assertThat(semel(
                        0, "keys", "show", "lost", "--scope", scope, "--answer", "--operator", "bob", "--admin", admin))
                .contains("hand");
        assertThat(semel(0, "keys", "show", "lost", "--answer", "--operator", "bob", "--admin", admin))
                .contains("scope: " + scope, "claimed: ", "hand");
        assertThat(ask("/api/audit").body()).contains("\"act\":\"reveal\"", "bob");
        assertThat(ask("/api/key?scope=" + scope + "&id=lost").body())
                .contains("Abandoned", "Replayed")
                .doesNotContain("by hand");
    }

    @Test
    void whatWasDoneThroughAGatewayAndWithoutItIsToldByTheNextGateway() throws Exception {
        Path data = directory.resolve("trail");
        try (RunningProgram first = gateway("rocksdb:trail")) {
            semel(3, "keys", "release", "none", "--scope", "s", "--operator", "ann", "--admin", admin(first));
            first.process.toHandle().destroy();
            first.awaitEnd();
        }
        semel(0, "keys", "purge", "--operator", "bob", "--why", "it is full", "--store", "rocksdb:" + data);
        Files.writeString(data.resolve("audit.log"), "{\"at\":\"2026-", StandardOpenOption.APPEND);
        try (RunningProgram second = gateway("rocksdb:trail")) {
            second.await("Audit: +trail/audit.log; 1 of its last lines are incomplete");
            HttpRequest request = HttpRequest.newBuilder(URI.create(admin(second) + "/api/audit"))
                    .build();
            JsonNode told = JsonMapper.shared()
                    .readTree(client.send(request, BodyHandlers.ofString()).body());
            assertThat(told.path("acts").toString())
                    .containsSubsequence("ann", "release", "NOT_FOUND", "bob", "purge", "it is full", "DROPPED 0");
            assertThat(told.path("acts").size()).isEqualTo(2);
            assertThat(told.path("unreadable").asInt()).isEqualTo(1);
        }
    }

    @Test
    void healthMetricsStatusAndSettingsAreTold() throws Exception {
        pay("told");
        pay("told");

        assertThat(ask("/health").statusCode()).isEqualTo(200);
        assertThat(ask("/health/live").statusCode()).isEqualTo(200);
        assertThat(ask("/metrics").body())
                .contains("semel_calls_total{operation=\"default\",outcome=\"executed\"}")
                .contains("semel_calls_total{operation=\"default\",outcome=\"replayed\"}")
                .contains("semel_gateway_requests_total{kind=\"forwarded\"}")
                .contains("semel_slots{state=\"settled\"}");
        JsonNode status = JsonMapper.shared().readTree(ask("/api/status").body());
        assertThat(status.at("/outcomes/executed").asLong()).isPositive();
        assertThat(status.at("/outcomes/replayed").asLong()).isPositive();
        assertThat(ask("/api/settings").body())
                .contains("/**", ORIGIN.url())
                .contains("\"key\":\"optional\"", "\"compare\":\"parts\"", "\"serverErrors\":\"forget\"")
                .contains("\"quotas\":{", "\"accessLog\":\"\"");
        gateway.await("keys are optional, bodies are compared by parts, after 5xx a retry runs");
        assertThat(ask("/api/counts").body()).contains("\"settled\":");
        assertThat(ask("/api/nothing").statusCode()).isEqualTo(404);
        assertThat(ask("/api/keys?view=nonsense").statusCode()).isEqualTo(400);
        assertThat(semel(0, "doctor", "--admin", admin)).contains("ok").doesNotContain("FAIL");
    }

    @Test
    void gaugesOutliveACollection() throws Exception {
        pay("collected");
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process collection = new ProcessBuilder(jcmd.toString(), "" + gateway.process.pid(), "GC.run")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(collection.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("Command executed successfully");
        assertThat(ask("/metrics").body().lines())
                .filteredOn(line -> line.startsWith("semel_"))
                .anyMatch(line -> line.startsWith("semel_slots{state=\"settled\"} "))
                .anyMatch(line -> line.startsWith("semel_gateway_connections "))
                .anyMatch(line -> line.startsWith("semel_purge_behind_seconds{"))
                .noneMatch(line -> line.endsWith("NaN"));
    }

    @Test
    void whatIsUnderWayIsFinishedBeforeItStops() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        ORIGIN.behaviour = (exchange, body, effect) -> {
            arrived.countDown();
            CountingService.await(go);
            CountingService.answer(exchange, 201, "in the end");
        };
        try (RunningProgram own = gateway("rocksdb:own")) {
            HttpRequest payment = HttpRequest.newBuilder(URI.create(url(own) + "/pay"))
                    .header("Idempotency-Key", "slow")
                    .POST(BodyPublishers.ofString("{}"))
                    .build();
            CompletableFuture<HttpResponse<String>> first = client.sendAsync(payment, BodyHandlers.ofString());
            assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
            own.process.toHandle().destroy();
            own.await("Stopping");
            HttpRequest health =
                    HttpRequest.newBuilder(URI.create(admin(own) + "/health")).build();
            while (client.send(health, BodyHandlers.ofString()).statusCode() != 503) {
                Thread.onSpinWait();
            }
            go.countDown();

            assertThat(first.get(30, TimeUnit.SECONDS).body()).isEqualTo("in the end");
            own.await("Stopped\\.");
            own.awaitEnd();
        }
        assertThat(semel(0, "keys", "list", "--store", "rocksdb:" + directory.resolve("own")))
                .contains("settled", "1 key");
    }

    @Test
    void aStoreThatAGatewayHasOpenIsAskedThroughTheGateway() throws Exception {
        assertThat(semel(1, "keys", "list", "--store", "rocksdb:" + directory.resolve("data")))
                .startsWith("semel: ")
                .contains("--admin 127.0.0.1:8081")
                .hasLineCount(1);
        pay("exported");
        assertThat(semel(0, "keys", "export", "--admin", admin))
                .contains("{\"scope\":\"http/anonymous\",\"id\":\"exported\"");
    }

    @Test
    void thePortTellsNothingToPagesOfElsewhere() throws Exception {
        String port = admin.substring(admin.lastIndexOf(':') + 1);
        String answer = RawHttp.send(
                Integer.parseInt(port), "GET /api/keys HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 401");
        HttpRequest form = HttpRequest.newBuilder(URI.create(admin + "/api/release"))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertThat(client.send(form, BodyHandlers.ofString()).statusCode()).isEqualTo(415);
    }

    @Test
    void anAdminPortThatOthersCanReachNeedsAToken() throws Exception {
        assertThat(semel(
                        2,
                        "gateway",
                        "--upstream",
                        ORIGIN.url(),
                        "--store",
                        "memory:",
                        "--listen",
                        "127.0.0.1:0",
                        "--admin",
                        "0.0.0.0:0"))
                .contains("adminToken");
        try (RunningProgram open = RunningProgram.semel(
                directory,
                "gateway",
                "--upstream",
                ORIGIN.url(),
                "--store",
                "memory:",
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "0.0.0.0:0",
                "--admin-token",
                "secret")) {
            String port = open.await("Admin: +http://0.0.0.0:(\\d+)").group(1);
            URI keys = URI.create("http://127.0.0.1:" + port + "/api/keys");
            assertThat(client.send(HttpRequest.newBuilder(keys).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
            assertThat(client.send(
                                    HttpRequest.newBuilder(keys)
                                            .header("Authorization", "Bearer secret")
                                            .build(),
                                    BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
