// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import io.semel.gateway.traffic.Traffic;
import io.semel.observe.KeyHashes;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The access log of a gateway, and the ids that requests have in it. */
@Timeout(60)
class LoggedRequestsTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @TempDir
    private Path directory;

    private GatewayFixture rig(String more) {
        return new GatewayFixture("accessLog: {file: '" + file() + "', format: json}\n" + more);
    }

    private Path file() {
        return directory.resolve("access.log");
    }

    /** When the gateway has written all of them. */
    private List<JsonNode> lines(GatewayFixture rig) throws IOException {
        rig.close();
        return Files.readAllLines(file()).stream()
                .map(line -> JsonMapper.shared().readTree(line))
                .toList();
    }

    private static List<String> each(List<JsonNode> lines, String field) {
        return lines.stream().map(line -> line.path(field).asString("")).toList();
    }

    @Test
    void everyRequestIsALineWithWhatBecameOfIt() throws Exception {
        GatewayFixture rig = rig("routes: [{path: /payments, name: pay}]");
        rig.pay("a");
        rig.pay("a");
        rig.pay("a", "{\"amount\":2}");
        rig.pay("b b");
        rig.send(rig.to("/things?token=hush").GET().build());
        rig.origin.behaviour = CountingService::hangUp;
        rig.pay("c");

        List<JsonNode> lines = lines(rig);

        assertThat(each(lines, "outcome"))
                .containsExactly("executed", "replayed", "mismatch", "refused", "passed", "unknown");
        assertThat(each(lines, "code")).containsExactly("", "", "key-reused", "malformed-key", "", "outcome-unknown");
        assertThat(each(lines, "status")).containsExactly("201", "201", "422", "400", "201", "409");
        assertThat(each(lines, "route")).containsExactly("pay", "pay", "pay", "pay", "default", "pay");
        assertThat(each(lines, "path").get(4)).isEqualTo("/things");
        String hash = KeyHashes.hash(Key.of("http/anonymous", "a"));
        assertThat(each(lines, "keyHash").subList(0, 3)).containsOnly(hash);
        assertThat(lines.get(0).path("bytes").asLong()).isEqualTo("effect 1".length());
        assertThat(lines.get(0).path("serviceMillis").asDouble())
                .isPositive()
                .isLessThanOrEqualTo(lines.get(0).path("millis").asDouble());
        assertThat(lines.get(1).has("serviceMillis")).isFalse();
        assertThat(each(lines, "client")).containsOnly("127.0.0.1");
    }

    @Test
    void anAnswerThatIsNotKeptIsCalledAsTheMetricsCallIt() throws Exception {
        GatewayFixture rig = rig("routes: [{path: /payments, statuses: {503: hold}}]");
        rig.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 500, "");
        rig.pay("a");
        rig.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 503, "");
        rig.pay("b");
        rig.pay("b");

        List<JsonNode> lines = lines(rig);

        assertThat(each(lines, "outcome")).containsExactly("released", "unknown", "unknown");
        assertThat(each(lines, "status")).containsExactly("500", "503", "409");
    }

    @Test
    void aLargeAnswerThatIsNotKeptIsCalledSoToo() throws Exception {
        GatewayFixture rig = rig("routes: [{path: /payments, answerBytes: 10, statuses: {503: hold}}]");
        for (int status : List.of(201, 500, 503)) {
            rig.origin.behaviour =
                    (exchange, body, effect) -> CountingService.answer(exchange, status, "x".repeat(100));
            rig.pay("k" + status);
        }

        assertThat(each(lines(rig), "outcome")).containsExactly("executed", "released", "unknown");
    }

    @Test
    void aUsedUpQuotaIsALineWithCallerAndKeyAndAFewWarnings() throws Exception {
        GatewayFixture rig = rig("quotas: {callerKeys: 1}");
        try (CapturedLog log = new CapturedLog("io.semel")) {
            for (int i = 0; i < 9; i++) {
                rig.pay("k" + i);
            }

            assertThat(log.written())
                    .hasSize(5)
                    .allMatch(
                            line -> line.startsWith("WARNING A new key was refused, because the quota of its caller is"
                                    + " used up. Caller http/anonymous [request "));
            assertThat(rig.gateway.traffic().count(Traffic.Count.QUOTA_USED_UP)).isEqualTo(8);
            assertThat(rig.gateway.traffic().count(Traffic.Count.REFUSED)).isZero();
        }

        JsonNode line = lines(rig).get(1);
        assertThat(line.path("code").asString()).isEqualTo("quota-used-up");
        assertThat(line.path("caller").asString("")).isEqualTo("http/anonymous");
        assertThat(line.path("keyHash").asString("")).isEqualTo(KeyHashes.hash(Key.of("http/anonymous", "k1")));
    }

    @Test
    void theFenceIsTheOneThatTheServiceSaw() throws Exception {
        GatewayFixture rig = rig("");
        rig.pay("a");
        String fence = rig.origin.heads.get(0).get("Semel-fence").get(0);

        assertThat(each(lines(rig), "fence")).containsExactly(fence);
    }

    @Test
    void aDuplicateOfARunningRequestIsBusy() throws Exception {
        GatewayFixture rig = rig("");
        CountDownLatch go = new CountDownLatch(1);
        rig.origin.behaviour = (exchange, body, effect) -> {
            CountingService.await(go);
            CountingService.created(exchange, body, effect);
        };
        CompletableFuture<HttpResponse<String>> first = rig.paying("a");
        assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
        rig.pay("a");
        go.countDown();
        first.get(20, TimeUnit.SECONDS);

        // A line is written after its answer: which of the two is first is not promised.
        assertThat(each(lines(rig), "outcome")).containsExactlyInAnyOrder("busy", "executed");
    }

    @Test
    void neitherCredentialsNorKeysNorQueriesAreInIt() throws Exception {
        GatewayFixture rig = rig("");
        rig.pay(
                "my-key",
                "{\"amount\":1}",
                "Authorization",
                "Bearer hush",
                "traceparent",
                "00-" + TRACE + "-b7ad6b7169203331-01");
        rig.close();

        String log = Files.readString(file());
        assertThat(log)
                .contains("\"trace\":\"" + TRACE + "\"", "\"caller\":\"http/principal/credential:")
                .doesNotContain("hush", "my-key", "Bearer");
    }

    @Test
    void aKeyIsWrittenInTheClearWhereTheSettingsSayIt() throws Exception {
        GatewayFixture rig = new GatewayFixture("accessLog: {file: '" + file() + "', keys: true}");
        rig.pay("my-key");
        rig.close();

        assertThat(Files.readString(file())).contains(" POST /payments 201 executed ", " key=my-key ");
    }

    @Test
    void aStreamOfHttp2IsALineLikeAnyOther() throws Exception {
        GatewayFixture rig = rig("");
        byte[] head = Http2Client.block(":method", "GET", ":scheme", "http", ":path", "/things?q=1", ":authority", "x");
        try (Http2Client connection = new Http2Client(rig.port())) {
            connection.send(Http2Client.HEADERS, Http2Client.END_HEADERS | Http2Client.END_STREAM, 1, head);
            assertThat(connection.verdict()).isEqualTo("201");
        }
        String id = rig.origin.heads.get(0).get("X-request-id").get(0);

        JsonNode line = lines(rig).get(0);
        assertThat(line.path("request").asString()).isEqualTo(id);
        assertThat(line.path("path").asString()).isEqualTo("/things");
        assertThat(line.path("client").asString()).isEqualTo("127.0.0.1");
    }

    @Test
    void whatIsNoHttpIsALineToo() throws Exception {
        GatewayFixture rig = rig("");
        RawHttp.send(rig.port(), "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n");
        RawHttp.send(rig.port(), "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n");

        List<JsonNode> lines = lines(rig);

        assertThat(each(lines, "code")).containsExactly("malformed-request", "malformed-request");
        assertThat(each(lines, "status")).containsExactly("400", "400");
    }

    @Test
    void aClientThatLeavesIsALineToo() throws Exception {
        GatewayFixture rig = rig("");
        CountDownLatch go = new CountDownLatch(1);
        rig.origin.behaviour = (exchange, body, effect) -> {
            CountingService.await(go);
            CountingService.created(exchange, body, effect);
        };
        try (var socket = RawHttp.connect(rig.port())) {
            socket.getOutputStream()
                    .write("POST /payments HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\r\nContent-Length: 0\r\n\r\n"
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
        }
        while (rig.gateway.connections() > 0) {
            Thread.onSpinWait();
        }
        go.countDown();
        while (rig.gateway.traffic().exchanges() > 0) {
            Thread.onSpinWait();
        }

        JsonNode line = lines(rig).get(0);
        assertThat(line.path("outcome").asString()).isEqualTo("executed");
        assertThat(line.path("cut").asBoolean()).isTrue();
        assertThat(line.path("bytes").asLong()).isZero();
    }

    @Test
    void anIdIsMadeForServiceAndClientAndAStrangersIsNotBelieved() throws Exception {
        GatewayFixture rig = rig("");

        HttpResponse<String> answer = rig.pay("a", "{}", "X-Request-Id", "mine");
        HttpResponse<String> replay = rig.pay("a", "{}");
        HttpResponse<String> passed = rig.send(rig.to("/").GET().build());

        String id = id(answer);
        assertThat(id).matches("[0-9a-f]{32}");
        assertThat(rig.origin.heads.get(0).get("X-request-id")).containsExactly(id);
        assertThat(rig.origin.heads.get(1).get("X-request-id")).containsExactly(id(passed));
        assertThat(each(lines(rig), "request"))
                .containsExactly(id, id(replay), id(passed))
                .doesNotHaveDuplicates();
    }

    @Test
    void theIdOfATrustedPeerIsKeptIfItIsOne() throws Exception {
        GatewayFixture rig = rig("trustedProxies: [127.0.0.1]");

        assertThat(id(rig.pay("a", "{}", "X-Request-Id", "mine-1"))).isEqualTo("mine-1");
        assertThat(id(rig.pay("b", "{}", "X-Request-Id", "not one"))).matches("[0-9a-f]{32}");
        assertThat(id(rig.pay("c", "{}", "X-Request-Id", "x".repeat(129)))).matches("[0-9a-f]{32}");
        assertThat(rig.origin.heads.get(0).get("X-request-id")).containsExactly("mine-1");
        assertThat(each(lines(rig), "request")).startsWith("mine-1").doesNotContain("not one");
    }

    @Test
    void theHeaderOfTheIdCanBeAnotherOrNone() throws Exception {
        try (GatewayFixture other = new GatewayFixture("requestId: X-Correlation-Id")) {
            HttpResponse<String> answer = other.pay("a", "{}", "X-Request-Id", "mine");
            assertThat(answer.headers().firstValue("X-Correlation-Id")).isPresent();
            assertThat(other.origin.heads.get(0).get("X-request-id")).containsExactly("mine");
        }
        try (GatewayFixture none = new GatewayFixture("requestId: none")) {
            assertThat(none.pay("a").headers().firstValue("X-Request-Id")).isEmpty();
        }
    }

    @Test
    void aHeaderThatCarriesTheKeyIsLeftAlone() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("routes: [{path: /payments, header: [X-Request-Id]}]")) {
            HttpResponse<String> answer = rig.send(rig.to("/payments")
                    .header("X-Request-Id", "mine")
                    .POST(java.net.http.HttpRequest.BodyPublishers.ofString("{}"))
                    .build());

            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(rig.origin.heads.get(0).get("X-request-id")).containsExactly("mine");
        }
    }

    private static String id(HttpResponse<String> answer) {
        return answer.headers().firstValue("X-Request-Id").orElse("");
    }

    @Test
    void neitherMethodNorPathIsLongerThanALineMayBe() throws Exception {
        GatewayFixture rig = rig("");
        RawHttp.send(
                rig.port(),
                "X".repeat(5000) + " /" + "x".repeat(5000) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        JsonNode line = lines(rig).get(0);

        assertThat(line.path("method").asString()).isEqualTo("X".repeat(32) + "…");
        assertThat(line.path("path").asString()).isEqualTo("/" + "x".repeat(999) + "…");
    }
}
