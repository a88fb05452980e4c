// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PassedRequestsTest {

    /** More than sockets on the way hold, and less than would break a gateway that took it all. */
    private static final long MUCH = 64 << 20;

    private GatewayFixture rig = new GatewayFixture();

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void whatTakesNoPartIsNeitherRecordedNorChanged() {
        rig.origin.behaviour = (exchange, body, effect) -> {
            exchange.getResponseHeaders().set("Set-Cookie", "a=b");
            CountingService.answer(
                    exchange, 200, exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + effect);
        };
        HttpRequest get = rig.to("/some/path?q=%20x&y")
                .header("Idempotency-Key", "a")
                .GET()
                .build();

        assertThat(rig.send(get).body()).isEqualTo("GET /some/path?q=%20x&y 1");
        HttpResponse<String> again = rig.send(get);

        assertThat(again.body()).isEqualTo("GET /some/path?q=%20x&y 2");
        assertThat(again.headers().firstValue("Set-Cookie")).hasValue("a=b");
        assertThat(again.headers().firstValue("Idempotent-Replayed")).isEmpty();
    }

    @Test
    void headHasALengthAndNoBody() {
        rig.origin.behaviour = (exchange, body, effect) -> {
            exchange.getResponseHeaders().set("Content-Length", "1234");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        };
        HttpRequest head = rig.to("/").method("HEAD", BodyPublishers.noBody()).build();

        assertThat(rig.send(head).statusCode()).isEqualTo(200);
        assertThat(rig.send(head).headers().firstValue("Content-Length")).hasValue("1234");
    }

    @Test
    void bodyAndAnswerStreamThroughBeforeTheyHaveEnded() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            rig.close();
            rig = new GatewayFixture(
                    "routes: [{path: /up, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            try (Socket client = RawHttp.connect(rig.port())) {
                client.setSoTimeout(20_000);
                write(client, "POST /up HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
                try (Socket upstream = server.accept()) {
                    upstream.setSoTimeout(20_000);
                    until(upstream, "\r\n\r\n1\r\na\r\n");
                    write(client, "1\r\nb\r\n0\r\n\r\n");
                    until(upstream, "1\r\nb\r\n0\r\n\r\n");
                    write(upstream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nc\r\n");
                    until(client, "1\r\nc\r\n");
                    write(upstream, "1\r\nd\r\n0\r\n\r\n");
                    until(client, "1\r\nd\r\n0\r\n\r\n");
                }
            }
        }
    }

    @Test
    void aLargeBodyAndALargeAnswerPassWithLittleMemory() {
        rig.origin.behaviour = (exchange, body, effect) -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] block = new byte[1 << 16];
            for (int i = 0; i < 1024; i++) {
                exchange.getResponseBody().write(block);
            }
            exchange.close();
        };
        HttpRequest large = rig.to("/")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[30_000_000])))
                .build();

        HttpResponse<String> answer = rig.send(large);

        assertThat(answer.body()).hasSize(64 << 20);
        assertThat(rig.origin.bodies.get(0)).hasSize(30_000_000);
    }

    @Test
    void aClientThatReadsNothingHoldsTheServiceUpAndNotTheGateway() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            rig.close();
            rig = new GatewayFixture(
                    "routes: [{path: /much, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            try (Socket client = RawHttp.connect(rig.port())) {
                write(client, "GET /much HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                try (Socket upstream = server.accept()) {
                    until(upstream, "\r\n\r\n");
                    write(upstream, "HTTP/1.1 200 OK\r\nContent-Length: " + MUCH + "\r\n\r\n");
                    isTakenOnlyAsFastAsItIsRead(upstream, client);
                }
            }
        }
    }

    @Test
    void aServiceThatReadsNothingHoldsTheClientUpAndNotTheGateway() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            rig.close();
            rig = new GatewayFixture(
                    "routes: [{path: /much, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            try (Socket client = RawHttp.connect(rig.port())) {
                write(client, "POST /much HTTP/1.1\r\nHost: x\r\nContent-Length: " + MUCH + "\r\n\r\n");
                try (Socket upstream = server.accept()) {
                    until(upstream, "\r\n\r\n");
                    isTakenOnlyAsFastAsItIsRead(client, upstream);
                }
            }
        }
    }

    private static void isTakenOnlyAsFastAsItIsRead(Socket from, Socket to) throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        Thread writer = new Thread(() -> writeMuch(from, taken));
        writer.start();
        assertThat(taken.await(1, TimeUnit.SECONDS)).isFalse();
        byte[] block = new byte[1 << 16];
        for (long read = 0; read < MUCH; ) {
            int more = to.getInputStream().read(block, 0, (int) Math.min(block.length, MUCH - read));
            assertThat(more).isPositive();
            read += more;
        }
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        writer.join();
    }

    private static void writeMuch(Socket socket, CountDownLatch taken) {
        byte[] block = new byte[1 << 20];
        try {
            for (long written = 0; written < MUCH; written += block.length) {
                socket.getOutputStream().write(block);
            }
            taken.countDown();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anAnswerThatBreaksOffIsNotMadeToLookWhole() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            rig.close();
            rig = new GatewayFixture(
                    "routes: [{path: /cut, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            CompletableFuture<HttpResponse<String>> sent =
                    rig.client.sendAsync(rig.to("/cut").GET().build(), BodyHandlers.ofString());
            try (Socket socket = server.accept()) {
                socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
                                .getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(sent.handle((answer, failure) -> failure).get(20, TimeUnit.SECONDS))
                    .isInstanceOf(Throwable.class);
        }
    }

    @Test
    void webSocketsPassThrough() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            rig.close();
            rig = new GatewayFixture(
                    "routes: [{path: /ws, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            try (Socket client = RawHttp.connect(rig.port())) {
                client.setSoTimeout(20_000);
                client.getOutputStream()
                        .write(
                                "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                try (Socket upstream = server.accept()) {
                    upstream.setSoTimeout(20_000);
                    assertThat(until(upstream, "\r\n\r\n").toLowerCase(Locale.ROOT))
                            .contains("upgrade: websocket", "connection: upgrade", "sec-websocket-key: k");
                    upstream.getOutputStream()
                            .write(
                                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: a\r\n\r\nhello"
                                            .getBytes(StandardCharsets.US_ASCII));
                    assertThat(until(client, "hello")).startsWith("HTTP/1.1 101");
                    client.getOutputStream().write("\u0001\u0002ping".getBytes(StandardCharsets.ISO_8859_1));
                    assertThat(until(upstream, "ping")).isEqualTo("\u0001\u0002ping");
                    upstream.getOutputStream().write("pong".getBytes(StandardCharsets.US_ASCII));
                    assertThat(until(client, "pong")).isEqualTo("pong");
                }
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    /** Asks for a tunnel, which the service opens; what the client is told. */
    private String tunnel(ServerSocket server, List<Socket> open) throws Exception {
        Socket client = RawHttp.connect(rig.port());
        open.add(client);
        client.setSoTimeout(20_000);
        write(client, "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
        Socket upstream = server.accept();
        open.add(upstream);
        upstream.setSoTimeout(20_000);
        until(upstream, "\r\n\r\n");
        write(upstream, "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        return until(client, "\r\n\r\n");
    }

    @Test
    void tunnelsTakeNoConnectionsFromRequestsAndHaveALimitOfTheirOwn() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0)) {
            server.setSoTimeout(20_000);
            rig.close();
            rig = new GatewayFixture(
                    "limits: {upstreamConnections: 1, connectTime: 10s, tunnels: 4, addressShare: 100}\n"
                            + "routes: [{path: /ws, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            for (int i = 0; i < 4; i++) {
                assertThat(tunnel(server, open)).startsWith("HTTP/1.1 101");
            }
            assertThat(tunnel(server, open)).startsWith("HTTP/1.1 503");
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    @Test
    void aTunnelInWhichNothingIsSaidIsClosed() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            rig.close();
            rig = new GatewayFixture("limits: {tunnelTime: 300ms}\n"
                    + "routes: [{path: /ws, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            List<Socket> open = new ArrayList<>();
            assertThat(tunnel(server, open)).startsWith("HTTP/1.1 101");

            assertThat(open.get(0).getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void requestsOnOneConnectionAreAnsweredInTheirOrder() throws IOException {
        rig.origin.behaviour = (exchange, body, effect) ->
                CountingService.answer(exchange, 200, exchange.getRequestURI().getPath());
        String requests = "";
        for (int i = 0; i < 20; i++) {
            String key = i % 2 == 0 ? "" : "Idempotency-Key: k" + i + "\r\n";
            requests += "POST /n" + i + " HTTP/1.1\r\nHost: x\r\n" + key + "Content-Length: 1\r\n"
                    + (i == 19 ? "Connection: close\r\n" : "") + "\r\nx";
        }

        String answers = RawHttp.send(rig.port(), requests);

        int at = 0;
        for (int i = 0; i < 20; i++) {
            at = answers.indexOf("/n" + i, at);
            assertThat(at).as("answer %d in %s", i, answers).isNotNegative();
        }
    }

    @Test
    void aClientOfHttp10IsNotSentChunks() throws IOException {
        rig.origin.behaviour = PassedRequestsTest::chunked;

        String answer = RawHttp.send(rig.port(), "GET / HTTP/1.0\r\n\r\n");

        assertThat(answer.toLowerCase(Locale.ROOT)).doesNotContain("chunked");
        assertThat(answer).endsWith("\r\n\r\nin parts");
    }

    @Test
    void whoeverExpectsToBeToldToGoOnIsTold() throws IOException {
        try (Socket socket = RawHttp.connect(rig.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(
                            "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIdempotency-Key: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(until(socket, "\r\n\r\n")).startsWith("HTTP/1.1 100");
            socket.getOutputStream().write("ok".getBytes(StandardCharsets.US_ASCII));

            assertThat(RawHttp.read(socket)).startsWith("HTTP/1.1 201");
        }
    }

    @Test
    void hopByHopHeadersStayOnTheirHop() throws IOException {
        RawHttp.send(
                rig.port(),
                "POST / HTTP/1.1\r\nHost: x\r\nConnection: close, X-Secret\r\nX-Secret: 1\r\nKeep-Alive: 5\r\nProxy-Authorization: p\r\nTE: trailers\r\nContent-Length: 0\r\n\r\n");

        assertThat(rig.origin.heads.get(0)).doesNotContainKeys("X-secret", "Keep-alive", "Proxy-authorization", "Te");
    }

    private static void chunked(HttpExchange exchange, byte[] body, int effect) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write("in ".getBytes(StandardCharsets.US_ASCII));
        exchange.getResponseBody().flush();
        exchange.getResponseBody().write("parts".getBytes(StandardCharsets.US_ASCII));
        exchange.close();
    }

    private static String until(Socket socket, String end) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (!seen.toString().endsWith(end)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("closed after: " + seen);
            }
            seen.append((char) next);
        }
        return seen.toString();
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    @Test
    void aServiceThatDoesNotTakeABodyIsNotItsClientsFault() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            rig.close();
            rig = new GatewayFixture("limits: {idleTime: 1s}\nroutes: [{path: /much, upstream: 'http://127.0.0.1:"
                    + server.getLocalPort() + "'}]");
            try (Socket client = RawHttp.connect(rig.port())) {
                client.setSoTimeout(30_000);
                write(client, "POST /much HTTP/1.1\r\nHost: x\r\nContent-Length: " + MUCH + "\r\n\r\n");
                CountDownLatch taken = new CountDownLatch(1);
                Thread writer = new Thread(() -> {
                    try {
                        writeMuch(client, taken);
                    } catch (UncheckedIOException e) {
                        // It was refused, as it should be.
                    }
                });
                writer.start();
                try (Socket upstream = server.accept()) {
                    GatewayChecks.await("what it does not take is held", () -> rig.gateway.buffered() > 30_000);

                    assertThat(until(client, "\r\n\r\n")).startsWith("HTTP/1.1 504");
                    assertThat(upstream.isConnected()).isTrue();
                }
                GatewayChecks.await("nothing is held any more", () -> rig.gateway.buffered() == 0);
                hangUp(client);
                writer.join();
            }
        }
    }

    /** So that a thread that still writes is let go. */
    private static void hangUp(Socket socket) throws IOException {
        socket.close();
    }

    @Test
    void anAddressHasItsShareOfTunnels() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0)) {
            server.setSoTimeout(20_000);
            rig.close();
            rig = new GatewayFixture("limits: {tunnels: 4}\n" + "routes: [{path: /ws, upstream: 'http://127.0.0.1:"
                    + server.getLocalPort() + "'}]");
            for (int i = 0; i < 2; i++) {
                assertThat(tunnel(server, open)).startsWith("HTTP/1.1 101");
            }
            assertThat(tunnel(server, open)).startsWith("HTTP/1.1 503");
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    @Test
    void whatATunnelsEndDoesNotTakeIsHeldForItsClient() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0)) {
            server.setSoTimeout(20_000);
            rig.close();
            rig = new GatewayFixture(
                    "routes: [{path: /ws, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            assertThat(tunnel(server, open)).startsWith("HTTP/1.1 101");
            Socket client = open.get(0);
            Thread writer = new Thread(() -> {
                try {
                    writeMuch(client, new CountDownLatch(1));
                } catch (UncheckedIOException e) {
                    // Closed by the end of the test.
                }
            });
            writer.start();
            GatewayChecks.await("what the service does not take is held", () -> rig.gateway.buffered() > 30_000);
            open.get(1).close();
            GatewayChecks.await("nothing is held any more", () -> rig.gateway.buffered() == 0);
            client.close();
            writer.join();
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }
}
