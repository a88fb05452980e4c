// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.semel.gateway.traffic.Traffic;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that cost a gateway with 256 MB much more memory than they are, while a slow service keeps what came with them waiting. */
@Timeout(120)
class UncountedBytesTest {

    private static final long LONGEST = 5000;

    @TempDir
    Path directory;

    @Test
    void tinyFramesAndPipelinedHeadsAreHeldOnlyAsFarAsThereIsRoom() throws Exception {
        try (SlowClients clients = new SlowClients(directory)) {
            clients.warmUp();
            clients.tinyFrames(60);
            assertThat(clients.slowest(30)).isLessThan(LONGEST);
            clients.pipelined(60);
            assertThat(clients.slowest(30)).isLessThan(LONGEST);
            clients.manyLines(400);
            assertThat(clients.slowest(30)).isLessThan(LONGEST);
            assertThat(clients.isAlive()).isTrue();
            assertThat(clients.said()).noneMatch(line -> line.contains("OutOfMemory"));
        }
    }

    @Test
    void headsAndTrailersWithoutAnEndAreHeldOnlyAsFarAsThereIsRoom() throws Exception {
        try (SlowClients clients = new SlowClients(directory)) {
            clients.warmUp();
            clients.unfinishedHeads(400);
            assertThat(clients.slowest(30)).isLessThan(LONGEST);
            clients.unfinishedTrailers(400);
            assertThat(clients.slowest(30)).isLessThan(LONGEST);
            assertThat(clients.isAlive()).isTrue();
            assertThat(clients.said()).noneMatch(line -> line.contains("OutOfMemory"));
        }
    }

    @Test
    void aHeadHasAtMostTwoHundredLines() throws Exception {
        try (GatewayFixture rig = new GatewayFixture()) {
            assertThat(RawHttp.send(rig.port(), head(190))).startsWith("HTTP/1.1 201");
            assertThat(RawHttp.send(rig.port(), head(201)))
                    .startsWith("HTTP/1.1 431")
                    .contains("header-too-large");
        }
    }

    private static String head(int lines) {
        return "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + "a:b\r\n".repeat(lines) + "\r\n";
    }

    @Test
    void whatAJudgeHasToSayBeyondItsStatusIsNotReadToItsEnd() throws Exception {
        AtomicLong written = new AtomicLong();
        HttpServer judge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        judge.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] part = new byte[64 << 10];
            try (OutputStream out = exchange.getResponseBody()) {
                while (written.addAndGet(part.length) < 1L << 30) {
                    out.write(part);
                }
            } catch (IOException e) {
                // Nobody listens any more, as it should be.
            }
        });
        judge.start();
        try (GatewayFixture rig = new GatewayFixture("routes: [{path: /payments, authorize: 'http://127.0.0.1:"
                + judge.getAddress().getPort() + "/may'}]")) {
            rig.pay("a");
            assertThat(rig.pay("a").body()).isEqualTo("effect 1");
            assertThat(rig.pay("a").headers().firstValue("Idempotent-Replayed")).isPresent();
        } finally {
            judge.stop(0);
        }
        assertThat(written.get()).isLessThan(64 << 20);
    }

    @Test
    void partsThatComeFasterThanAServiceTakesThemAreNotLost() throws Exception {
        try (GatewayFixture rig = new GatewayFixture();
                Http2Client client = new Http2Client(rig.port())) {
            rig.origin.behaviour = (exchange, body, effect) ->
                    CountingService.answer(exchange, 200, new String(body, StandardCharsets.UTF_8));
            client.send(
                    Http2Client.HEADERS,
                    Http2Client.END_HEADERS,
                    1,
                    Http2Client.block(":method", "PUT", ":scheme", "http", ":path", "/x", ":authority", "x"));
            StringBuilder sent = new StringBuilder();
            for (int i = 0; i < 5000; i++) {
                String part = Integer.toString(i % 10);
                sent.append(part);
                client.send(Http2Client.DATA, 0, 1, part.getBytes(StandardCharsets.US_ASCII));
            }
            client.send(Http2Client.DATA, Http2Client.END_STREAM, 1, new byte[0]);

            assertThat(new String(client.frame(Http2Client.DATA), StandardCharsets.US_ASCII))
                    .isEqualTo(sent.toString());
        }
    }

    @Test
    void whoeverSendsTooMuchAheadIsLetGo() throws Exception {
        try (ScriptedService service = new ScriptedService("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok")) {
            service.go = new java.util.concurrent.CountDownLatch(1);
            try (GatewayFixture rig = new GatewayFixture(service.route() + "limits: {bufferBytes: 256KiB}");
                    Socket socket = RawHttp.connect(rig.port())) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2000).getBytes(StandardCharsets.US_ASCII));

                assertThat(RawHttp.read(socket)).isEmpty();
                assertThat(rig.gateway.traffic().count(Traffic.Count.UNREAD)).isEqualTo(1);
            } finally {
                service.go.countDown();
            }
        }
    }
}
