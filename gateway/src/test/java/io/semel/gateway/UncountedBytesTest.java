// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.semel.Key;
import io.semel.gateway.traffic.Traffic;
import io.semel.memory.MemoryStore;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    private static byte[] longHead(String first, String more) {
        return (first.replace("TARGET", "/" + "x".repeat(10_000)) + "\r\nHost: x\r\n" + "a:b\r\n".repeat(150) + more
                        + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void theHeadsOfOneAddressLeaveRoomForOthers() throws Exception {
        List<Socket> open = new ArrayList<>();
        int requests = 60;
        try (ScriptedService service = new ScriptedService("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok")) {
            service.go = new CountDownLatch(1);
            try (GatewayFixture rig = new GatewayFixture(service.route() + "limits: {bufferBytes: 1MiB}");
                    Socket other = new Socket(
                            InetAddress.getLoopbackAddress(),
                            rig.port(),
                            InetAddress.getByAddress(new byte[] {127, 0, 0, 9}),
                            0)) {
                for (int i = 0; i < requests; i++) {
                    Socket socket = RawHttp.connect(rig.port());
                    open.add(socket);
                    socket.getOutputStream().write(longHead("GET TARGET HTTP/1.1", ""));
                }
                Traffic traffic = rig.gateway.traffic();
                GatewayChecks.await("all have come", () -> come(traffic) == requests);
                other.setSoTimeout(20_000);
                other.getOutputStream().write(longHead("GET TARGET HTTP/1.1", "Connection: close\r\n"));
                GatewayChecks.await("it has come too", () -> come(traffic) == requests + 1);
                service.go.countDown();

                assertThat(RawHttp.read(other)).startsWith("HTTP/1.1 201");
            }
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    /** Requests that are under way, or were refused when they had come or before. */
    private static long come(Traffic traffic) {
        return traffic.exchanges() + traffic.count(Traffic.Count.REFUSED) + traffic.count(Traffic.Count.UNREAD);
    }

    @Test
    void headsWhoseBodiesDoNotComeGoFirst() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (GatewayFixture rig = new GatewayFixture("limits: {bufferBytes: 1MiB, addressShare: 100}")) {
            Traffic traffic = rig.gateway.traffic();
            while (rig.gateway.buffered() < 1_000_000) {
                long before = traffic.exchanges();
                Socket socket = RawHttp.connect(rig.port());
                open.add(socket);
                socket.getOutputStream()
                        .write(longHead(
                                "POST TARGET HTTP/1.1",
                                "Idempotency-Key: k" + open.size() + "\r\nContent-Length: 1\r\n"));
                GatewayChecks.await("it has come", () -> traffic.exchanges() > before);
            }

            GatewayChecks.await(
                    "others have room", () -> rig.pay("a", "x".repeat(100_000)).statusCode() == 201);
            assertThat(traffic.count(Traffic.Count.UNREAD)).isPositive();
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    @Test
    void aReplayIsCountedWhileAJudgeIsAsked() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        HttpServer judge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        judge.createContext("/", exchange -> {
            CountingService.await(go);
            CountingService.answer(exchange, 200, "");
        });
        judge.start();
        try (GatewayFixture rig = new GatewayFixture("routes: [{path: /payments, authorize: 'http://127.0.0.1:"
                + judge.getAddress().getPort() + "/may'}]")) {
            rig.origin.behaviour =
                    (exchange, body, effect) -> CountingService.answer(exchange, 200, "x".repeat(500_000));
            rig.pay("a");
            GatewayChecks.await("nothing is held", () -> rig.gateway.buffered() == 0);
            CompletableFuture<HttpResponse<String>> retry = rig.paying("a");
            GatewayChecks.await("it is held", () -> rig.gateway.buffered() >= 500_000);
            go.countDown();

            assertThat(retry.get(20, TimeUnit.SECONDS).body()).hasSize(500_000);
            GatewayChecks.await("nothing is held any more", () -> rig.gateway.buffered() == 0);
        } finally {
            judge.stop(0);
        }
    }

    @Test
    void anAnswerIsCountedUntilTheStoreHasIt() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Store slow = new ForwardingStore(new MemoryStore()) {
            @Override
            public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                CountingService.await(go);
                return super.settle(key, holder, fence, settlement);
            }
        };
        try (GatewayFixture rig = new GatewayFixture("", slow)) {
            rig.origin.behaviour =
                    (exchange, body, effect) -> CountingService.answer(exchange, 200, "x".repeat(500_000));
            CompletableFuture<HttpResponse<String>> first = rig.paying("a");
            GatewayChecks.await("it is held", () -> rig.gateway.buffered() >= 500_000);
            assertThat(first).isNotDone();
            GatewayChecks.await(
                    "the store has been told", () -> rig.gateway.traffic().exchanges() == 1);
            assertThat(rig.gateway.buffered()).isGreaterThanOrEqualTo(500_000);
            go.countDown();

            assertThat(first.get(20, TimeUnit.SECONDS).body()).hasSize(500_000);
            GatewayChecks.await("nothing is held any more", () -> rig.gateway.buffered() == 0);
        }
    }
}
