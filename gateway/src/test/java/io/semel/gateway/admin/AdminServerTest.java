// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.Raw;
import io.semel.gateway.config.Address;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask the admin port for what, and what a browser is told to allow. */
class AdminServerTest {

    @TempDir
    private static Path directory;

    private final OpenStore open = StoreUrl.open(List.of("memory:"), false);
    private final Console console = new Console(open, new Audit(directory.resolve("audit.log")));
    private final AdminServer admin = AdminServer.start(Address.of("127.0.0.1:0"), null, console);

    @AfterEach
    void close() {
        admin.close();
        open.close();
    }

    private static String ask(AdminServer at, String request, String headers, String body) {
        try {
            return Raw.send(
                    at.address().getPort(),
                    request + " HTTP/1.1\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n" + headers
                            + "\r\n" + body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String get(String path) {
        return ask(admin, "GET " + path, "Host: localhost\r\n", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/main.js", "/console.css", "/icon.svg", "/api/status", "/api/nothing"})
    void everyAnswerTellsTheBrowserToRunNothingOfOthers(String path) {
        assertThat(get(path))
                .containsIgnoringCase("content-security-policy: default-src 'none'; script-src 'self'")
                .containsIgnoringCase("require-trusted-types-for 'script'")
                .containsIgnoringCase("x-content-type-options: nosniff")
                .containsIgnoringCase("cache-control: no-store")
                .doesNotContainIgnoringCase("access-control-allow-origin");
    }

    @Test
    void thePageAndEveryFileItNamesAreServedAndNothingElse() {
        assertThat(get("/")).startsWith("HTTP/1.1 200").contains("<!doctype html>");
        assertThat(get("/main.js")).startsWith("HTTP/1.1 200").contains("text/javascript");
        assertThat(get("/../pom.xml")).startsWith("HTTP/1.1 404");
        assertThat(get("/console/main.js")).startsWith("HTTP/1.1 404");
        assertThat(get("/AdminServer.class")).startsWith("HTTP/1.1 404");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/main.js", "/metrics", "/api/keys"})
    void aNameThatIsNotThisMachinesIsRefused(String path) {
        assertThat(ask(admin, "GET " + path, "Host: evil.example\r\n", "")).startsWith("HTTP/1.1 401");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "http://localhost:1", "http://localhost.evil.example"})
    void aPageOfElsewhereCannotChangeAnything(String origin) {
        String headers = "Host: localhost\r\nContent-Type: application/json\r\nOrigin: " + origin + "\r\n";
        assertThat(ask(admin, "POST /api/purge", headers, "{}")).startsWith("HTTP/1.1 403");
    }

    @Test
    void aFormCannotChangeAnything() {
        String headers = "Host: localhost\r\nOrigin: http://localhost\r\nContent-Type: text/plain\r\n";
        assertThat(ask(admin, "POST /api/purge", headers, "{}")).startsWith("HTTP/1.1 415");
    }

    @Test
    void theOwnPageAndProgramsCanChangeThings() {
        String headers = "Host: localhost\r\nContent-Type: application/json\r\n";
        assertThat(ask(admin, "POST /api/purge", headers, "{}")).startsWith("HTTP/1.1 200");
        assertThat(ask(admin, "POST /api/purge", headers + "Origin: http://localhost\r\n", "{}"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void withATokenThePageCanBeLoadedByAnyNameButTellsNothingWithoutIt() {
        try (AdminServer guarded = AdminServer.start(Address.of("127.0.0.1:0"), "hush", console)) {
            String host = "Host: gateway.example\r\n";
            assertThat(ask(guarded, "GET /", host, "")).startsWith("HTTP/1.1 200");
            assertThat(ask(guarded, "GET /api/status", host, "")).startsWith("HTTP/1.1 401");
            assertThat(ask(guarded, "GET /api/status?token=hush", host, "")).startsWith("HTTP/1.1 401");
            assertThat(ask(guarded, "GET /metrics", host, "")).startsWith("HTTP/1.1 401");
            assertThat(ask(guarded, "GET /api/status", host + "Authorization: Bearer hush\r\n", ""))
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void whoActedIsNotedAsTheySayAndWhereFromAsItIs() {
        String headers = "Host: localhost\r\nContent-Type: application/json\r\n";
        String body = "{\"scope\":\"s\",\"id\":\"i\",\"operator\":\"ann\",\"from\":\"the moon\",\"why\":\"asked to\"}";
        assertThat(ask(admin, "POST /api/release", headers, body)).startsWith("HTTP/1.1 404");
        assertThat(ask(admin, "POST /api/purge", headers, "{\"operator\":\"" + "x".repeat(201) + "\"}"))
                .startsWith("HTTP/1.1 400")
                .contains("at most 200");

        assertThat(get("/api/audit"))
                .contains("\"operator\":\"ann\"", "\"from\":\"127.0.0.1\"", "NOT_FOUND", "\"why\":\"asked to\"")
                .doesNotContain("moon");
    }
}
