// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What others notice of clients that send by the byte, do not read, or stop in the middle. */
@Timeout(120)
class SlowClientsTest {

    /** On a machine that builds something else at the same time; the measurement in SlowClients says what it is on its own. */
    private static final long LONGEST = 5000;

    @TempDir
    Path directory;

    @Test
    void nobodyWaitsForAnotherThatSendsByTheByteOrDoesNotReadOrStops() throws Exception {
        try (SlowClients clients = new SlowClients(directory)) {
            clients.warmUp();
            assertThat(clients.oneByteChunks(500_000)).startsWith("HTTP/1.1 201");
            clients.neverRead(30);
            assertThat(clients.slowest(30)).isLessThan(LONGEST);
            clients.zeroWindows(3, 50);
            assertThat(clients.slowest(30)).isLessThan(LONGEST);
            clients.stall(6, 10 << 20);
            clients.stall(100, 64 << 10);
            assertThat(clients.slowest(30)).isLessThan(LONGEST);
            assertThat(clients.isAlive()).isTrue();
            assertThat(clients.said()).noneMatch(line -> line.contains("OutOfMemory"));
        }
    }

    @Test
    void theNextRequestIsReadWhenTheAnswersBeforeItAre() throws Exception {
        int requests = 60;
        try (GatewayFixture rig = new GatewayFixture();
                Socket socket = RawHttp.connect(rig.port())) {
            rig.origin.behaviour =
                    (exchange, body, effect) -> CountingService.answer(exchange, 200, "x".repeat(500_000));
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < requests; i++) {
                String end = i == requests - 1 ? "Connection: close\r\n" : "";
                out.write(("POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: n" + i + "\r\n" + end
                                + "Content-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < requests; i++) {
                rig.pay("other-" + i);
            }
            assertThat(rig.origin.effects()).isLessThan(2 * requests);

            assertThat(RawHttp.read(socket).split("HTTP/1.1 200", -1)).hasSize(requests + 1);
            assertThat(rig.origin.effects()).isEqualTo(2 * requests);
        }
    }

    @Test
    void aBodyThatStopsIsGivenUpWhenOthersNeedItsRoom() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("limits: {bufferBytes: 1MiB, addressShare: 100}");
                Socket stalled = RawHttp.connect(rig.port())) {
            stalled.setSoTimeout(20_000);
            stalled.getOutputStream()
                    .write(("POST /payments HTTP/1.1\r\n"
                                    + "Host: x\r\n"
                                    + "Idempotency-Key: s\r\n"
                                    + "Content-Length: 1000000\r\n\r\n"
                                    + "x".repeat(900_000))
                            .getBytes(StandardCharsets.US_ASCII));
            while (rig.gateway.buffered() < 900_000) {
                Thread.onSpinWait();
            }
            String large = "x".repeat(500_000);
            int status = rig.pay("a", large).statusCode();
            while (status == 503) {
                status = rig.pay("a", large).statusCode();
            }

            assertThat(status).isEqualTo(201);
            assertThat(RawHttp.read(stalled)).startsWith("HTTP/1.1 408");
        }
    }

    @Test
    void oneAddressMayNotHoldEverythingAtOnce() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("limits: {bufferBytes: 2MiB}");
                Socket first = RawHttp.connect(rig.port());
                Socket second = RawHttp.connect(rig.port())) {
            first.setSoTimeout(20_000);
            second.setSoTimeout(20_000);
            String body = "POST /payments HTTP/1.1\r\nHost: x\r\nIdempotency-Key: s\r\nContent-Length: 1000000\r\n\r\n"
                    + "x".repeat(700_000);
            first.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
            second.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));

            // Whichever was later is refused; the other is, when it has been silent for too long.
            String answers = RawHttp.read(first) + RawHttp.read(second);
            assertThat(answers).contains("HTTP/1.1 429", "HTTP/1.1 408").containsIgnoringCase("retry-after: 1");
        }
    }

    @Test
    void aBodyHasToComeAtACertainRate() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("limits: {bodyRate: 1MiB, bodyTime: 60s}");
                Socket socket = RawHttp.connect(rig.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write(("POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: s\r\nContent-Length: 100000\r\n\r\n"
                                    + "x".repeat(50_000))
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(RawHttp.read(socket)).startsWith("HTTP/1.1 408");
        }
    }

    @Test
    void anAnswerThatIsNotReadIsCountedUntilItIs() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (GatewayFixture rig = new GatewayFixture("limits: {bufferBytes: 2MiB, idleTime: 1s}");
                Http2Client client = new Http2Client(rig.port())) {
            rig.origin.behaviour = (exchange, body, effect) -> {
                go.countDown();
                CountingService.answer(exchange, 200, "x".repeat(600_000));
            };
            client.send(Http2Client.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
            client.send(
                    Http2Client.HEADERS,
                    Http2Client.END_HEADERS | Http2Client.END_STREAM,
                    1,
                    Http2Client.block(
                            ":method",
                            "POST",
                            ":scheme",
                            "http",
                            ":path",
                            "/x",
                            ":authority",
                            "x",
                            "idempotency-key",
                            "k"));
            assertThat(go.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(client.frame(Http2Client.RST_STREAM)).isNotEmpty();
        }
    }

    @Test
    void aConnectionOfHttp2StaysWhileAServiceWorks() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (GatewayFixture rig = new GatewayFixture("limits: {idleTime: 300ms}");
                Http2Client client = new Http2Client(rig.port())) {
            rig.origin.behaviour = (exchange, body, effect) -> {
                CountingService.await(go);
                CountingService.created(exchange, body, effect);
            };
            client.send(
                    Http2Client.HEADERS,
                    Http2Client.END_HEADERS | Http2Client.END_STREAM,
                    1,
                    Http2Client.block(
                            ":method",
                            "POST",
                            ":scheme",
                            "http",
                            ":path",
                            "/x",
                            ":authority",
                            "x",
                            "idempotency-key",
                            "k"));
            assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
            CountDownLatch closed = new CountDownLatch(1);
            Thread watch = new Thread(() -> {
                while (rig.gateway.connections() > 0) {
                    Thread.onSpinWait();
                }
                closed.countDown();
            });
            watch.start();
            assertThat(closed.await(1500, TimeUnit.MILLISECONDS)).isFalse();
            go.countDown();

            assertThat(client.verdict()).isEqualTo("201");
            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aBodyWithoutAKeyHasToComeAtThatRateToo() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("limits: {bodyRate: 1KiB, idleTime: 2s}");
                Socket socket = RawHttp.connect(rig.port())) {
            socket.setSoTimeout(200);
            OutputStream out = socket.getOutputStream();
            out.write(
                    "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] told = new byte[12];
            int read = 0;
            for (int i = 0; i < 100 && read == 0; i++) {
                out.write('x');
                read = readWithin(socket, told);
            }

            assertThat(new String(told, 0, read, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 408");
            socket.setSoTimeout(20_000);
            assertThat(RawHttp.read(socket)).contains("body-cut-short").doesNotContain("Nothing was run");
        }
    }

    private static int readWithin(Socket socket, byte[] bytes) throws IOException {
        try {
            return socket.getInputStream().read(bytes);
        } catch (SocketTimeoutException e) {
            return 0;
        }
    }
}
