// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.StoreException;
import io.semel.gateway.RawHttp;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.Address;
import io.semel.gateway.config.AdminSettings;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.testkit.ForwardingSlots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask the admin port for what, and what a browser is told to allow. */
class AdminServerTest {

    @TempDir
    private static Path directory;

    private final OpenStore open = StoreUrl.open(List.of("memory:"), false);
    private final Console console = new Console(open, new AuditLog(directory.resolve("audit.log")));
    private final AdminServer admin = AdminServer.start(Address.of("127.0.0.1:0"), null, console);

    @AfterEach
    void close() {
        admin.close();
        open.close();
    }

    private static String ask(AdminServer at, String request, String headers, String body) {
        try {
            return RawHttp.send(
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

    @Test
    @Timeout(60)
    void aStoreThatBlocksHoldsNeitherHealthNorMetrics() throws Exception {
        CountDownLatch blocked = new CountDownLatch(8);
        CountDownLatch go = new CountDownLatch(1);
        Store store = new ForwardingSlots(new MemoryStore()) {
            @Override
            public Instant now() {
                return held(super.now());
            }

            @Override
            public Counts count() {
                return held(super.count());
            }

            private <T> T held(T answer) {
                blocked.countDown();
                await(go);
                return answer;
            }
        };
        Console told = new Console(OpenStore.of(store, "blocked"), new AuditLog(directory.resolve("blocked.log")));
        try (AdminServer at = AdminServer.start(Address.of("127.0.0.1:0"), null, told)) {
            for (int i = 0; i < 8; i++) {
                Thread asking = new Thread(() -> ask(at, "GET /api/counts", "Host: localhost\r\n", ""));
                asking.setDaemon(true);
                asking.start();
            }
            await(blocked);
            assertThat(ask(at, "GET /health/live", "Host: localhost\r\n", "")).startsWith("HTTP/1.1 200");
            assertThat(ask(at, "GET /health", "Host: localhost\r\n", ""))
                    .startsWith("HTTP/1.1 503")
                    .contains("no answer within 2 s");
            assertThat(ask(at, "GET /metrics", "Host: localhost\r\n", "")).contains("semel_slots");
            assertThat(ask(at, "GET /api/counts", "Host: localhost\r\n", ""))
                    .startsWith("HTTP/1.1 503")
                    .contains("has not answered 8 earlier requests");
            go.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
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
        String body = "{\"scope\":\"s\",\"id\":\"i\",\"operator\":\"ann\",\"why\":\"asked to\"}";
        assertThat(ask(admin, "POST /api/release", headers, body)).startsWith("HTTP/1.1 404");
        String claimed = body.replace("}", ",\"from\":\"the moon\"}");
        assertThat(ask(admin, "POST /api/release", headers, claimed)).startsWith("HTTP/1.1 400");
        assertThat(ask(admin, "POST /api/purge", headers, "{\"operator\":\"" + "x".repeat(201) + "\"}"))
                .startsWith("HTTP/1.1 400")
                .contains("at most 200");

        assertThat(get("/api/audit"))
                .contains("\"operator\":\"ann\"", "\"from\":\"127.0.0.1\"", "NOT_FOUND", "\"why\":\"asked to\"")
                .doesNotContain("moon");
    }

    @Test
    @Timeout(60)
    void socketsWhoseRequestNeverComesHoldNobody() throws Exception {
        List<Socket> halfOpen = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                Socket socket =
                        new Socket(admin.address().getAddress(), admin.address().getPort());
                socket.getOutputStream().write("GET /api/status HTTP/1.1\r\nHost: local".getBytes(UTF_8));
                halfOpen.add(socket);
            }
            assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
                assertThat(get("/health/live")).startsWith("HTTP/1.1 200");
                assertThat(get("/api/status")).startsWith("HTTP/1.1 200");
            });
        } finally {
            for (Socket socket : halfOpen) {
                socket.close();
            }
        }
    }

    @Test
    @Timeout(60)
    void aRequestThatDoesNotComeToItsEndInTimeIsGivenUp() throws Exception {
        AdminSettings settings = new AdminSettings(Address.of("127.0.0.1:0"), null, null, TlsFiles.NONE, null);
        try (AdminServer hasty = AdminServer.start(settings, console, Duration.ofMillis(200));
                Socket socket =
                        new Socket(hasty.address().getAddress(), hasty.address().getPort())) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: local".getBytes(UTF_8));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aTokenForLookingDoesNotAct() {
        AdminSettings settings = new AdminSettings(Address.of("127.0.0.1:0"), "hush", "peep", TlsFiles.NONE, null);
        String json = "Host: localhost\r\nContent-Type: application/json\r\n";
        String looking = "Authorization: Bearer peep\r\n";
        try (AdminServer guarded = AdminServer.start(settings, console)) {
            assertThat(ask(guarded, "GET /api/status", "Host: localhost\r\n" + looking, ""))
                    .startsWith("HTTP/1.1 200");
            assertThat(ask(guarded, "GET /metrics", "Host: localhost\r\n" + looking, ""))
                    .startsWith("HTTP/1.1 200");
            for (String path : List.of("purge", "release", "resolve", "reveal", "sweep")) {
                assertThat(ask(guarded, "POST /api/" + path, json + looking, "{}"))
                        .startsWith("HTTP/1.1 403");
            }
            assertThat(ask(guarded, "POST /api/purge", json + "Authorization: Bearer hush\r\n", "{}"))
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void aPortForHealthTellsNothingElse() {
        AdminSettings settings = new AdminSettings(Address.of("127.0.0.1:0"), "hush", null, TlsFiles.NONE, null);
        try (AdminServer health = AdminServer.startHealth(Address.of("127.0.0.1:0"), settings, console)) {
            assertThat(ask(health, "GET /health/live", "Host: node\r\n", "")).startsWith("HTTP/1.1 200");
            assertThat(ask(health, "GET /health", "Host: node\r\n", "")).contains("\"store\":\"up\"");
            for (String path : List.of("/", "/metrics", "/api/status", "/main.js")) {
                assertThat(ask(health, "GET " + path, "Host: node\r\nAuthorization: Bearer hush\r\n", ""))
                        .startsWith("HTTP/1.1 404");
            }
        }
    }

    @Test
    void healthDoesNotTellWhatTheStoreSaid() {
        Store broken = new ForwardingSlots(new MemoryStore()) {
            @Override
            public Instant now() {
                throw new StoreException("password of db-17 is wrong", null);
            }
        };
        Console told = new Console(OpenStore.of(broken, "broken"), new AuditLog(directory.resolve("broken.log")));
        try (AdminServer at = AdminServer.start(Address.of("127.0.0.1:0"), null, told)) {
            assertThat(ask(at, "GET /health", "Host: localhost\r\n", ""))
                    .startsWith("HTTP/1.1 503")
                    .contains("\"store\":\"down\"")
                    .doesNotContain("db-17");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"contentType\":\"text/plain\\r\\nSet-Cookie: a=b\"",
                "\"contentType\":\"nonsense\"",
                "\"status\":99",
                "\"status\":1000"
            })
    void anAnswerThatCannotBeSentIsNotResolvedWith(String field) {
        String headers = "Host: localhost\r\nContent-Type: application/json\r\n";
        assertThat(ask(admin, "POST /api/resolve", headers, "{\"scope\":\"s\",\"id\":\"i\"," + field + "}"))
                .startsWith("HTTP/1.1 400");
    }

    private String post(String path, String body) {
        return ask(admin, "POST " + path, "Host: localhost\r\nContent-Type: application/json\r\n", body);
    }

    /** A holder claims it and falls silent. */
    private Key lapse() {
        Key key = Key.of("http/anonymous", "lost");
        Store store = open.store();
        Claim.Granted granted =
                (Claim.Granted) store.claim(Call.of(key, Fingerprint.of("5 EUR")), "gone", Duration.ofMinutes(1));
        store.settle(key, "gone", granted.fence(), new Settlement.Renew(Duration.ZERO));
        return key;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sweep | {'view':'lapsed','olderThan':'0s','scop':'http/principal/x','verdict':'release'} | 'scop' | scope",
                "sweep | {'view':'lapsed','olderThan':'0s','scope':['x'],'verdict':'release'} | 'scope' | string",
                "sweep | {'view':'lapsed','olderThan':'0s','scope':null,'verdict':'release'} | 'scope' | string",
                "release | {'scope':'http/anonymous','id':'lost','fenc':1} | 'fenc' | fence",
                "release | {'scope':'http/anonymous','id':'lost','fence':'1'} | 'fence' | whole number",
                "resolve | {'scope':'http/anonymous','id':'lost','stats':201,'boddy':'x'} | 'stats', 'boddy' | contentType",
                "reveal | {'scope':'http/anonymous','id':'lost','fense':1} | 'fense' | fence",
                "purge | {'limt':1} | 'limt' | limit"
            })
    void whatAnEndpointDoesNotKnowIsRefusedAndNothingIsDone(String path, String body, String named, String known) {
        Key key = lapse();
        assertThat(post("/api/" + path, body.replace('\'', '"')))
                .startsWith("HTTP/1.1 400")
                .contains(named, known);
        assertThat(((Inspectable) open.store()).look(key).orElseThrow().state()).isEqualTo(Slot.State.LAPSED);
    }

    @Test
    void aParameterThatAnEndpointDoesNotKnowIsRefused() {
        assertThat(get("/api/keys?vew=lapsed"))
                .startsWith("HTTP/1.1 400")
                .contains("no parameter 'vew'", "view, limit, cursor");
    }

    @Test
    void whatIsResolvedWithoutAStatusIsWhatTheCommandLineWouldSay() {
        lapse();
        assertThat(post("/api/resolve", "{\"scope\":\"http/anonymous\",\"id\":\"lost\",\"body\":\"{}\"}"))
                .startsWith("HTTP/1.1 200");
        assertThat(post("/api/reveal", "{\"scope\":\"http/anonymous\",\"id\":\"lost\"}"))
                .contains("\"status\":200", "Content-Type: application/json")
                .doesNotContain("text/plain");
    }

    @Test
    void anAnswerIsNotRevealedToWhomeverSawAnotherFence() {
        lapse();
        post("/api/resolve", "{\"scope\":\"http/anonymous\",\"id\":\"lost\",\"body\":\"hush\"}");
        assertThat(post("/api/reveal", "{\"scope\":\"http/anonymous\",\"id\":\"lost\",\"fence\":0}"))
                .startsWith("HTTP/1.1 409")
                .doesNotContain("hush");
    }
}
