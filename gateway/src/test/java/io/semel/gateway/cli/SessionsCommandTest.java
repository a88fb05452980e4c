// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static io.semel.gateway.cli.Typed.semel;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.CountingService;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator finds out about a client that numbers its requests. */
@Timeout(60)
class SessionsCommandTest {

    @TempDir
    private Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CountingService origin = new CountingService();

    @AfterEach
    void stop() {
        origin.close();
    }

    private RunningGateway start(String yaml) throws Exception {
        Path file = Files.writeString(directory.resolve("semel.yaml"), yaml);
        Settings settings = SettingsReader.read(
                file, new Overrides("127.0.0.1:0", "127.0.0.1:0", null, List.of(store()), origin.url()));
        return RunningGateway.start(settings, false, settings.audit());
    }

    private String store() {
        return "rocksdb:" + directory.resolve("data");
    }

    private HttpResponse<String> send(
            RunningGateway gateway, String caller, String path, String method, String... headers) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.gateway().address().getPort() + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString("{}"));
        if (!caller.isEmpty()) {
            request.header("Authorization", caller);
        }
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private String register(RunningGateway gateway, String caller) throws Exception {
        HttpResponse<String> registered = send(gateway, caller, "/.semel/sessions", "POST");
        return registered.headers().firstValue("Location").orElseThrow().replaceFirst(".*/", "");
    }

    private HttpResponse<String> pay(RunningGateway gateway, String caller, String id, String number, String first)
            throws Exception {
        return send(
                gateway,
                caller,
                "/payments",
                "POST",
                "Semel-Session",
                id,
                "Semel-Request",
                number,
                "Semel-First-Outstanding",
                first);
    }

    @Test
    void aSessionIsFoundByItsIdAloneWithWhatBecameOfItsRequests() throws Exception {
        try (RunningGateway gateway = start("sessions: {window: 4, lease: 5m}")) {
            String id = register(gateway, "Bearer ann");
            pay(gateway, "Bearer ann", id, "1", "1");
            pay(gateway, "Bearer ann", id, "2", "2");
            pay(gateway, "Bearer ann", id, "2", "2");
            pay(gateway, "Bearer ann", id, "9", "2");
            origin.behaviour = CountingService::hangUp;
            assertThat(pay(gateway, "Bearer ann", id, "3", "2").body()).contains("outcome-unknown");

            JsonNode shown = JsonMapper.shared()
                    .readTree(semel(0, "sessions", "show", id, "--json", "--admin", gateway.address()))
                    .at("/sessions/0");
            assertThat(shown.path("scope").asString()).startsWith("http/principal/credential:");
            assertThat(shown.path("lives").asBoolean()).isTrue();
            assertThat(shown.path("receivedBelow").asLong()).isEqualTo(2);
            assertThat(shown.path("highest").asLong()).isEqualTo(3);
            assertThat(shown.path("window").asInt()).isEqualTo(4);
            assertThat(shown.path("remainingMillis").asLong()).isBetween(1L, 300_000L);
            assertThat(shown.at("/requests/0/number").asLong()).isEqualTo(2);
            assertThat(shown.at("/requests/0/state").asString()).isEqualTo("done");
            assertThat(shown.at("/requests/1/number").asLong()).isEqualTo(3);
            assertThat(shown.path("events").toString())
                    .containsSubsequence(
                            "Executed", "\"number\":\"1\"", "Executed", "\"number\":\"2\"", "Replayed", "WINDOW_FULL");
            assertThat(shown.toString()).doesNotContain("effect 1", "effect 2", "ann");

            assertThat(semel(0, "sessions", "show", id, "--admin", gateway.address()))
                    .contains("lives: true", "receivedBelow: 2");
            String scope = shown.path("scope").asString();
            assertThat(semel(0, "sessions", "list", "--scope", scope, "--admin", gateway.address()))
                    .contains(id, "1 session");
        }
    }

    @Test
    void whatHappenedToASessionThatHasEndedIsTold() throws Exception {
        try (RunningGateway gateway = start("sessions: {}")) {
            String id = register(gateway, "");
            pay(gateway, "", id, "1", "1");
            send(gateway, "", "/.semel/sessions/" + id, "DELETE");
            assertThat(pay(gateway, "", id, "2", "2").body()).contains("session-unknown");

            assertThat(semel(0, "sessions", "show", id, "--admin", gateway.address()))
                    .contains("lives: false", "Executed", "SESSION_UNKNOWN");
        }
    }

    @Test
    void withoutAGatewayTheStoreIsAskedAndHasToBeToldWhoseItIs() throws Exception {
        String named;
        String anonymous;
        try (RunningGateway gateway = start("sessions: {lease: 10m}")) {
            named = register(gateway, "Bearer ann");
            anonymous = register(gateway, "");
            pay(gateway, "Bearer ann", named, "1", "1");
        }

        assertThat(semel(0, "sessions", "show", anonymous, "--store", store())).contains("lives: true");
        assertThat(semel(0, "sessions", "list", "--store", store()))
                .contains(anonymous, "1 session")
                .doesNotContain(named);
        assertThat(semel(3, "sessions", "show", named, "--store", store())).contains("--scope");
        assertThat(semel(3, "sessions", "show", named, "--store", store(), "--scope", "nobody"))
                .isEqualTo("semel: No session " + named + " lives.");
    }

    @Test
    void aGatewayThatOffersNoSessionsSaysSo() throws Exception {
        try (RunningGateway gateway = start("{}")) {
            assertThat(semel(3, "sessions", "show", "some", "--admin", gateway.address()))
                    .contains("Sessions are not enabled");
        }
    }
}
