// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reaches the service of what a client says about connections, lengths and the gateway itself. */
@Timeout(60)
class HeaderHygieneTest {

    private static final String OK = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok";

    private ScriptedService service;
    private GatewayFixture rig;

    @BeforeEach
    void start() throws IOException {
        service = new ScriptedService(OK);
        rig = new GatewayFixture(
                service.route(", header: [Idempotency-Key, X-Order]")
                        + "scope: {credentials: [Authorization, X-Api-Key], tenantHeader: X-Tenant}\ntrustedProxies: [127.0.0.1]\n");
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
        service.close();
    }

    private String seen(String method, String headers, String body) throws IOException {
        String answer = RawHttp.send(rig.port(), method + " / HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n" + body);
        assertThat(answer).startsWith("HTTP/1.1 201");
        return service.requests.get(0).toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Idempotency-Key",
                "Authorization",
                "Cookie",
                "Host",
                "X-Order",
                "X-Api-Key",
                "X-Tenant",
                "Content-Type",
                "Semel-Other",
                "Content-Length"
            })
    void aHeaderThatIsMeantForTheServiceCannotBeCalledOneOfTheConnection(String name) throws IOException {
        String line = name.equals("Host") || name.equals("Content-Length") ? "" : name + ": value\r\n";
        String seen = seen("PUT", line + "Content-Length: 0\r\nConnection: close, " + name + "\r\n", "");

        assertThat(seen).contains("\r\n" + name.toLowerCase(Locale.ROOT) + ": ");
    }

    @Test
    void aHeaderOfTheConnectionStaysOnIt() throws IOException {
        assertThat(seen("GET", "X-Hop: 1\r\nConnection: close, X-Hop\r\n", "")).doesNotContain("x-hop");
    }

    @Test
    void neitherKeyNorFenceCanBeCalledHeadersOfTheConnection() throws IOException {
        String seen = seen(
                "POST",
                "Idempotency-Key: a\r\nConnection: close, Idempotency-Key, Semel-Fence\r\nContent-Length: 0\r\n",
                "");

        assertThat(seen).contains("\r\nidempotency-key: a\r\n").contains("\r\nsemel-fence: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Semel_Fence",
                "semel_fence",
                "Semel-Fence",
                "Idempotency_Key",
                "X_Forwarded_For",
                "X-Forwarded_Host",
                "Content_Length",
                "Transfer_Encoding",
                "X_Order",
                "X_Tenant"
            })
    void aHeaderThatSomeServicesReadAsOneOfOursIsNotPassedOn(String name) throws IOException {
        String seen = seen("GET", name + ": 99999\r\nConnection: close\r\n", "");

        assertThat(seen).doesNotContain("99999");
    }

    @ParameterizedTest
    @ValueSource(strings = {"for=\"", "for=\"a", "for=a;by=\"\\\"", "for=\"a\\", "a\"b\"c\"", "for=\"a\"\""})
    void aQuoteThatIsNotClosedDoesNotSwallowWhatWeSay(String forwarded) throws IOException {
        String seen =
                seen("GET", "Forwarded: for=1.2.3.4\r\nForwarded: " + forwarded + "\r\nConnection: close\r\n", "");

        assertThat(seen).contains("\r\nforwarded: for=1.2.3.4, for=127.0.0.1;proto=http;host=\"x\"\r\n");
    }

    @Test
    void whatIsQuotedAsItShouldBeIsPassedOn() throws IOException {
        String seen = seen("GET", "Forwarded: for=\"[::1]:80\";by=\"a\\\"b, c\"\r\nConnection: close\r\n", "");

        assertThat(seen).contains("\r\nforwarded: for=\"[::1]:80\";by=\"a\\\"b, c\", for=127.0.0.1;");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Chunked", "CHUNKED", "chunked "})
    void theCodingIsWrittenInOneWay(String coding) throws IOException {
        String answer = RawHttp.send(
                rig.port(),
                "PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: " + coding
                        + "\r\n\r\n2\r\nok\r\n0\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 201");
        assertThat(service.requests.get(0))
                .containsIgnoringCase("transfer-encoding: chunked\r\n")
                .contains(": chunked\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Idempotency-Key: evil", "Content-Length: 5", "Semel-Fence: 9", "Authorization: x", "X: y"})
    void trailersAreNotPassedOn(String trailer) throws IOException {
        String seen = seen(
                "PUT",
                "Connection: close\r\nTrailer: X\r\nTransfer-Encoding: chunked\r\n",
                "2\r\nok\r\n0\r\n" + trailer + "\r\n\r\n");

        assertThat(seen).endsWith("\r\n2\r\nok\r\n0\r\n\r\n").doesNotContain("trailer");
    }

    @Test
    void trailersOfAnAnswerAreNotPassedOnEither() throws IOException {
        service.answer =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\nok\r\n0\r\nContent-Length: 9\r\nX: y\r\n\r\n";

        String answer = RawHttp.send(rig.port(), "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer).endsWith("\r\n\r\n2\r\nok\r\n0\r\n\r\n").doesNotContainIgnoringCase("trailer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\nPOST / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\nConnection: close\r\n\r\n",
                "\r\n\r\nPOST / HTTP/1.1\r\n Host: x\r\nConnection: close\r\n\r\n",
                "\r\n POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "\nPOST / HTTP/1.1\r\nHost: x\r\n\tX: a\r\nConnection: close\r\n\r\n",
            })
    void aFoldedLineBehindAnEmptyOneIsRefused(String request) throws IOException {
        assertThat(RawHttp.send(rig.port(), request)).startsWith("HTTP/1.1 400");
        assertThat(service.requests).isEmpty();
    }

    @Test
    void aBodyMayBeginWithWhiteSpaceHoweverItIsCut() throws IOException {
        try (Socket socket = RawHttp.connect(rig.port())) {
            socket.setSoTimeout(20_000);
            socket.setTcpNoDelay(true);
            for (char c : "\r\nPUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\n \tab"
                    .toCharArray()) {
                socket.getOutputStream().write(c);
            }
            assertThat(RawHttp.read(socket)).startsWith("HTTP/1.1 201");
        }
        assertThat(service.requests.get(0)).endsWith("\r\n\r\n \tab");
    }

    @Test
    void whoeverIsRefusedBeforeItWasToldToGoOnIsLetGo() throws IOException {
        rig.close();
        rig = new GatewayFixture(service.route(", key: required"));
        try (Socket socket = RawHttp.connect(rig.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(RawHttp.read(socket))
                    .startsWith("HTTP/1.1 400")
                    .containsIgnoringCase("\r\nconnection: close\r\n");
        }
    }
}
