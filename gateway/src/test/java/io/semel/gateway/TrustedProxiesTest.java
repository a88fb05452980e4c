// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a peer may claim about whom it asks for. */
@Timeout(60)
class TrustedProxiesTest {

    private static final String OK = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok";
    private static final String SCOPE = "scope: {header: X-User}\n";

    private ScriptedService service;

    @BeforeEach
    void start() throws IOException {
        service = new ScriptedService(OK);
    }

    @AfterEach
    void stop() throws IOException {
        service.close();
    }

    private GatewayFixture trusting(String network) {
        return new GatewayFixture(service.route() + SCOPE + "trustedProxies: [" + network + "]\n");
    }

    private String seen(GatewayFixture rig, String method, String lines) throws IOException {
        String length = method.equals("GET") ? "" : "Content-Length: 0\r\n";
        String answer = RawHttp.send(
                rig.port(), method + " / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + length + lines + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 201");
        return service.requests.get(0).toLowerCase(Locale.ROOT);
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-User",
                "x-USER",
                "X_User",
                "X.User",
                "X-Forwarded-For",
                "X_Forwarded_For",
                "X-Forwarded.For",
                "X-Forwarded-Proto",
                "X-Forwarded-Host",
                "X-Forwarded-Port",
                "X-Forwarded-Prefix",
                "X-Forwarded-User",
                "X-Forwarded-Client-Cert",
                "X-Forwarded",
                "Forwarded",
                "X-Real-IP",
                "X_Real_IP",
                "X-Client-IP",
                "True-Client-IP",
                "CF-Connecting-IP",
                "X-Original-URL",
                "X-Original-Forwarded-For",
                "X-Rewrite-URL",
                "Client-Cert",
                "Client_Cert",
                "Client-Cert-Chain"
            })
    void whatAnybodyElseClaimsReachesNoService(String name) throws IOException {
        for (String method : List.of("GET", "POST")) {
            try (GatewayFixture rig = trusting("10.0.0.0/8")) {
                String key = method.equals("POST") ? "Idempotency-Key: a\r\n" : "";

                String seen = seen(rig, method, key + name + ": 203.0.113.99\r\nX-Custom: kept\r\n");

                assertThat(seen).doesNotContain("203.0.113.99").contains("\r\nx-custom: kept\r\n");
                service.requests.clear();
            }
        }
    }

    @Test
    void whatWeSayBeginsWithThePeerThatIsNotTrusted() throws IOException {
        try (GatewayFixture rig = trusting("10.0.0.0/8")) {
            String seen = seen(
                    rig,
                    "GET",
                    "X-Forwarded-For: 1.2.3.4\r\nForwarded: for=1.2.3.4\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: y\r\n");

            assertThat(seen)
                    .contains("\r\nx-forwarded-for: 127.0.0.1\r\n")
                    .contains("\r\nforwarded: for=127.0.0.1;proto=http;host=\"x\"\r\n")
                    .contains("\r\nx-forwarded-proto: http\r\n")
                    .contains("\r\nx-forwarded-host: x\r\n");
        }
    }

    @Test
    void aTrustedProxyIsBelievedAndWeSayWhoItWas() throws IOException {
        try (GatewayFixture rig = trusting("127.0.0.0/8")) {
            String seen = seen(
                    rig,
                    "GET",
                    lines(
                            "X-User: ada",
                            "X-Forwarded-For: 1.2.3.4",
                            "Forwarded: for=1.2.3.4",
                            "X-Forwarded-Proto: https",
                            "X-Forwarded-Host: shop",
                            "X-Real-IP: 1.2.3.4",
                            "X-Forwarded-Prefix: /a",
                            "Client-Cert: :AAAA:"));

            assertThat(seen)
                    .contains("\r\nx-user: ada\r\n")
                    .contains("\r\nx-forwarded-for: 1.2.3.4, 127.0.0.1\r\n")
                    .contains("\r\nforwarded: for=1.2.3.4, for=127.0.0.1;proto=http;host=\"x\"\r\n")
                    .contains("\r\nx-forwarded-proto: https\r\n")
                    .contains("\r\nx-forwarded-host: shop\r\n")
                    .contains("\r\nx-real-ip: 1.2.3.4\r\n")
                    .contains("\r\nx-forwarded-prefix: /a\r\n")
                    .contains("\r\nclient-cert: :aaaa:\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X_User", "X.User", "x~user", "X_Real_IP", "X.Forwarded.For", "Client_Cert"})
    void aTrustedProxyCannotBeMadeToPassOnWhatLooksLikeItsOwnWord(String name) throws IOException {
        try (GatewayFixture rig = trusting("127.0.0.0/8")) {
            String seen = seen(rig, "GET", "X-User: ada\r\n" + name + ": 203.0.113.99\r\n");

            assertThat(seen).contains("\r\nx-user: ada\r\n").doesNotContain("203.0.113.99");
        }
    }

    @Test
    void aHeaderWithAnUnderscoreIsTheOneThatWasNamed() throws IOException {
        try (GatewayFixture rig =
                new GatewayFixture(service.route() + "scope: {header: X_User}\ntrustedProxies: [127.0.0.1]\n")) {
            String seen = seen(rig, "GET", "X_User: ada\r\nX-User: eve\r\n");

            assertThat(seen).contains("\r\nx_user: ada\r\n").doesNotContain("eve");
        }
    }

    @Test
    void nobodyIsTrustedUnlessTheSettingsSaySo() throws IOException {
        try (GatewayFixture rig = new GatewayFixture(service.route())) {
            assertThat(seen(rig, "GET", "X-Forwarded-For: 1.2.3.4\r\n")).contains("\r\nx-forwarded-for: 127.0.0.1\r\n");
        }
    }

    @Test
    void itIsTheSameByHttp2AndInTrailers() throws Exception {
        try (GatewayFixture rig = trusting("10.0.0.0/8");
                Http2Client client = new Http2Client(rig.port())) {
            byte[] head = Http2Client.block(
                    ":method",
                    "POST",
                    ":scheme",
                    "http",
                    ":path",
                    "/",
                    ":authority",
                    "x",
                    "x-user",
                    "eve",
                    "x_user",
                    "eve",
                    "x-forwarded-for",
                    "203.0.113.99",
                    "client-cert",
                    ":eve:",
                    "x-custom",
                    "kept");
            client.send(Http2Client.HEADERS, Http2Client.END_HEADERS, 1, head);
            client.send(Http2Client.DATA, 0, 1, "{}".getBytes(StandardCharsets.US_ASCII));
            byte[] trailers =
                    Http2Client.block("x-user", "eve", "x-forwarded-for", "203.0.113.99", "client-cert", ":eve:");
            client.send(Http2Client.HEADERS, Http2Client.END_HEADERS | Http2Client.END_STREAM, 1, trailers);

            assertThat(client.verdict()).isEqualTo("201");
            assertThat(service.requests.get(0).toLowerCase(Locale.ROOT))
                    .doesNotContain("eve", "203.0.113.99")
                    .contains("\r\nx-forwarded-for: 127.0.0.1\r\n", "\r\nx-custom: kept\r\n");
        }
    }

    @Test
    void trailersOfATrustedProxyAreNotPassedOnEither() throws IOException {
        try (GatewayFixture rig = trusting("127.0.0.1")) {
            String answer = RawHttp.send(
                    rig.port(),
                    lines(
                            "PUT / HTTP/1.1",
                            "Host: x",
                            "Connection: close",
                            "Transfer-Encoding: chunked",
                            "",
                            "2",
                            "ok",
                            "0",
                            "X-User: eve",
                            "X-Forwarded-For: 203.0.113.99",
                            ""));

            assertThat(answer).startsWith("HTTP/1.1 201");
            assertThat(service.requests.get(0)).endsWith("\r\n2\r\nok\r\n0\r\n\r\n");
        }
    }

    @Test
    void whoeverIsAskedForAReplayIsToldNoneOfIt() throws Exception {
        List<Map<String, List<String>>> asked = new CopyOnWriteArrayList<>();
        HttpServer judge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        judge.createContext("/", exchange -> {
            asked.add(Map.copyOf(exchange.getRequestHeaders()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        judge.start();
        try (GatewayFixture rig = new GatewayFixture(
                SCOPE + "trustedProxies: [10.0.0.1]\nroutes: [{path: /payments, authorize: 'http://127.0.0.1:"
                        + judge.getAddress().getPort() + "/may'}]")) {
            rig.pay("a");
            rig.pay("a", "{\"amount\":1}", "X-User", "eve", "X_Original_Uri", "/eve", "Client-Cert", ":eve:");

            assertThat(asked).hasSize(1);
            assertThat(asked.get(0).toString()).doesNotContain("eve");
        } finally {
            judge.stop(0);
        }
    }
}
