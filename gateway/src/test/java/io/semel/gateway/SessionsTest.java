// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are numbered in sessions, through the gateway. */
class SessionsTest {

    private static final String YAML = "sessions: {lease: 2m, window: 4, cap: 2}\n";

    @TempDir
    Path directory;

    @Test
    void aSessionIsBetweenClientAndGateway() {
        try (GatewayFixture rig = new GatewayFixture(YAML)) {
            HttpResponse<String> registered = at(rig, "POST", "");
            assertThat(registered.statusCode()).isEqualTo(201);
            assertThat(registered.body()).endsWith("\"leaseMillis\":120000,\"window\":4,\"mode\":\"set\"}");
            String id = id(registered);

            HttpResponse<String> first = in(rig, id, 1, 1);
            HttpResponse<String> retry = in(rig, id, 1, 1);
            in(rig, id, 2, 2);

            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(retry.body()).isEqualTo(first.body());
            assertThat(retry.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            assertThat(in(rig, id, 1, 1).body()).contains("session-stale");
            assertThat(in(rig, id, 9, 2).body()).contains("session-window-full");
            assertThat(rig.origin.effects()).isEqualTo(2);
            assertThat(rig.origin.effects.keySet()).hasSize(2).doesNotContain("");
            assertThat(rig.origin.heads)
                    .noneMatch(head -> head.keySet().stream().anyMatch(name -> name.equalsIgnoreCase("Semel-Session")));
            assertThat(at(rig, "PUT", "/" + id).statusCode()).isEqualTo(200);
            assertThat(at(rig, "GET", "/" + id).statusCode()).isEqualTo(405);
            assertThat(at(rig, "DELETE", "/" + id).statusCode()).isEqualTo(204);
            assertThat(in(rig, id, 2, 2).body()).contains("session-unknown");
            assertThat(rig.origin.effects()).isEqualTo(2);
        }
    }

    @Test
    void aSessionsNumberCannotBeTakenAwayBeforeItBecomesAKey() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(YAML)) {
            String id = id(at(rig, "POST", ""));
            String request = "POST /payments HTTP/1.1\r\nHost: x\r\nSemel-Session: " + id
                    + "\r\nSemel-Request: 1\r\nSemel-First-Outstanding: 1\r\nContent-Length: 2\r\n"
                    + "Connection: close, Semel-Session, Semel-Request, Idempotency-Key\r\n\r\n{}";
            assertThat(RawHttp.send(rig.port(), request)).startsWith("HTTP/1.1 201");
            assertThat(RawHttp.send(rig.port(), request)).containsIgnoringCase("idempotent-replayed: true");
            assertThat(rig.origin.effects()).isEqualTo(1);
            assertThat(rig.origin.effects.keySet()).hasSize(1).doesNotContain("");
        }
    }

    @Test
    void aCallerMayHaveOnlySoManyAndLeavesTheRestToOthers() {
        try (GatewayFixture rig = new GatewayFixture("sessions: {cap: 3, capPerCaller: 1}\n")) {
            assertThat(at(rig, "POST", "", "Authorization", "Bearer alice").statusCode())
                    .isEqualTo(201);
            HttpResponse<String> another = at(rig, "POST", "", "Authorization", "Bearer alice");
            assertThat(another.statusCode()).isEqualTo(429);
            assertThat(another.body()).contains("too-many-sessions");
            assertThat(at(rig, "POST", "", "Authorization", "Bearer bob").statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void aSessionBelongsToTheCredentialsThatRegisteredIt() {
        try (GatewayFixture rig = new GatewayFixture(YAML)) {
            String id = id(at(rig, "POST", "", "Authorization", "Bearer alice"));

            assertThat(in(rig, id, 1, 1, "Authorization", "Bearer mallory").body())
                    .contains("session-unknown");
            assertThat(at(rig, "DELETE", "/" + id, "Authorization", "Bearer mallory")
                            .body())
                    .contains("session-unknown");
            assertThat(in(rig, id, 1, 1, "Authorization", "Bearer alice").statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void withoutSettingsThereAreNone() {
        try (GatewayFixture rig = new GatewayFixture()) {
            assertThat(at(rig, "POST", "").body()).isEqualTo("effect 1");
            assertThat(in(rig, "some", 1, 1).body()).contains("unsupported");
            assertThat(rig.origin.effects()).isEqualTo(1);
        }
    }

    @Test
    void case82_theSessionsOfTheProgramOutliveIt() throws Exception {
        try (CountingService origin = new CountingService()) {
            Path file = directory.resolve("semel.yaml");
            Files.writeString(file, YAML + "store: rocksdb:./data\nadmin: 127.0.0.1:0\n");
            int port;
            String id;
            HttpResponse<String> first;
            try (RunningProgram gateway = start(file, origin)) {
                URI base = base(gateway);
                port = base.getPort();
                id = id(send(
                        HttpRequest.newBuilder(base.resolve("/.semel/sessions")).POST(BodyPublishers.noBody())));
                first = send(numbered(base.resolve("/payments"), id, 7, 7));
                gateway.kill();
            }
            try (RunningProgram gateway = start(file, origin, port)) {
                HttpResponse<String> retry = send(numbered(base(gateway).resolve("/payments"), id, 7, 7));

                assertThat(retry.headers().firstValue("Idempotent-Replayed")).hasValue("true");
                assertThat(retry.body()).isEqualTo(first.body());
                assertThat(origin.effects()).isEqualTo(1);
            }
        }
    }

    @Test
    void whatBecomesOfThemIsCountedWhereThereAreAny() throws Exception {
        try (CountingService origin = new CountingService()) {
            Path file = directory.resolve("semel.yaml");
            Files.writeString(file, YAML + "store: 'memory:'\nadmin: 127.0.0.1:0\n");
            try (RunningProgram gateway = start(file, origin)) {
                URI base = base(gateway);
                URI admin = URI.create(gateway.await("Admin: +(http://\\S+)").group(1));
                String id = id(send(
                        HttpRequest.newBuilder(base.resolve("/.semel/sessions")).POST(BodyPublishers.noBody())));
                send(numbered(base.resolve("/payments"), id, 1, 1));
                send(numbered(base.resolve("/payments"), id, 1, 1));
                send(numbered(base.resolve("/payments"), id, 2, 2));
                send(numbered(base.resolve("/payments"), id, 1, 1));
                send(numbered(base.resolve("/payments"), id, 9, 2));
                send(numbered(base.resolve("/payments"), "other", 1, 1));

                String series = "semel_session_requests_total{operation=\"default\",outcome=\"%s\"} %d.0";
                assertThat(send(HttpRequest.newBuilder(admin.resolve("/metrics")))
                                .body())
                        .contains(
                                series.formatted("executed", 2),
                                series.formatted("replayed", 1),
                                series.formatted("stale", 1),
                                series.formatted("window_full", 1),
                                series.formatted("session_unknown", 1),
                                "semel_sessions 1.0",
                                "semel_session_slots 1.0");
                assertThat(send(HttpRequest.newBuilder(admin.resolve("/api/status")))
                                .body())
                        .containsPattern("\"sessions\":\\{\"open\":1,\"kept\":1,\"outcomes\":\\{.*\"stale\":1");
            }
        }
    }

    private RunningProgram start(Path file, CountingService origin) {
        return start(file, origin, 0);
    }

    private RunningProgram start(Path file, CountingService origin, int port) {
        return RunningProgram.semel(
                directory,
                "gateway",
                "--config",
                file.toString(),
                "--upstream",
                origin.url(),
                "--listen",
                "127.0.0.1:" + port);
    }

    private static URI base(RunningProgram gateway) {
        Matcher said = gateway.await("http://127\\.0\\.0\\.1:(\\d+)");
        return URI.create("http://127.0.0.1:" + said.group(1));
    }

    private static HttpResponse<String> at(GatewayFixture rig, String method, String id, String... headers) {
        HttpRequest.Builder request = rig.to("/.semel/sessions" + id).method(method, BodyPublishers.noBody());
        return rig.send((headers.length == 0 ? request : request.headers(headers)).build());
    }

    private static HttpResponse<String> in(GatewayFixture rig, String id, long number, long first, String... headers) {
        HttpRequest.Builder request = numbered(rig.uri("/payments"), id, number, first);
        return rig.send((headers.length == 0 ? request : request.headers(headers)).build());
    }

    private static HttpRequest.Builder numbered(URI uri, String id, long number, long first) {
        return HttpRequest.newBuilder(uri)
                .header("Semel-Session", id)
                .header("Semel-Request", Long.toString(number))
                .header("Semel-First-Outstanding", Long.toString(first))
                .POST(BodyPublishers.ofString("{\"amount\":1}"));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    private static String id(HttpResponse<String> registered) {
        return registered.body().replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
    }
}
