// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of HTTP/1 connections when a gateway is told to stop. */
@Timeout(60)
class DrainTest {

    @TempDir
    private static Path directory;

    private static final String GET = "GET /it HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void idleConnectionsAreClosedWhileBusyOnesAreAnsweredAndThenClosed() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (GatewayFixture rig = new GatewayFixture();
                Socket silent = connect(rig);
                Socket idle = connect(rig);
                Socket begun = connect(rig);
                Socket busy = connect(rig)) {
            write(idle, GET);
            assertThat(answer(idle)).startsWith("HTTP/1.1 201").doesNotContain("close");
            write(begun, GET + "GET /it HTTP/1.1\r\nHo");
            assertThat(answer(begun)).startsWith("HTTP/1.1 201");
            rig.origin.behaviour = (exchange, body, effect) -> {
                arrived.countDown();
                CountingService.await(go);
                CountingService.created(exchange, body, effect);
            };
            write(busy, GET);
            assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();

            CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(() -> drain(rig), thread);
            assertThat(RawHttp.read(idle)).isEmpty();
            assertThat(RawHttp.read(silent)).isEmpty();
            assertThat(drained).isNotDone();
            rig.origin.behaviour = CountingService::created;
            write(begun, "st: x\r\n\r\n");
            assertThat(RawHttp.read(begun)).startsWith("HTTP/1.1 201").containsIgnoringCase("connection: close");
            go.countDown();

            assertThat(RawHttp.read(busy)).startsWith("HTTP/1.1 201").containsIgnoringCase("connection: close");
            assertThat(drained.get(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            go.countDown();
            thread.shutdownNow();
        }
    }

    @Test
    void idleConnectionsAreClosedUnderTlsToo() throws Exception {
        Certificates server = new Certificates(directory, "server");
        String tls = "tls: {certificate: '" + server.certificate + "', key: '" + server.key + "'}";
        try (GatewayFixture rig = new GatewayFixture(tls);
                Socket plain = connect(rig);
                Socket silent = over(plain, server);
                Socket another = connect(rig);
                Socket idle = over(another, server)) {
            ((SSLSocket) silent).startHandshake();
            write(idle, GET);
            assertThat(answer(idle)).startsWith("HTTP/1.1 201").doesNotContain("close");

            assertThat(rig.gateway.drain(Duration.ofSeconds(30))).isTrue();
            assertThat(RawHttp.read(idle)).isEmpty();
            assertThat(RawHttp.read(silent)).isEmpty();
        }
    }

    private static Socket over(Socket socket, Certificates server) throws Exception {
        return server.trusting(server).getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
    }

    private static boolean drain(GatewayFixture rig) {
        try {
            return rig.gateway.drain(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Socket connect(GatewayFixture rig) throws IOException {
        Socket socket = RawHttp.connect(rig.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** One answer, whose body is known to end with its effect. */
    private static String answer(Socket socket) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().matches("(?s).*\r\n\r\n.*effect \\d+.*")) {
            int next = socket.getInputStream().read();
            assertThat(next).as("after %s", read).isNotNegative();
            read.append((char) next);
        }
        return read.toString();
    }
}
