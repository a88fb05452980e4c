// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many clients that do not read large answers of a gateway with 256 MB of heap and as much beside it, started as the script does it. */
@Timeout(180)
class UnreadAnswersTest {

    /** On a machine that does something else at the same time. */
    private static final long LONGEST = 5000;

    @TempDir
    private Path directory;

    private static void answer(CountingService origin) {
        byte[] block = new byte[1 << 16];
        origin.behaviour = (exchange, body, effect) -> {
            String path = exchange.getRequestURI().getPath();
            if (!path.startsWith("/large/")) {
                CountingService.created(exchange, body, effect);
                return;
            }
            int blocks = Integer.parseInt(path.substring("/large/".length())) << 4;
            exchange.sendResponseHeaders(200, (long) blocks << 16);
            try (var out = exchange.getResponseBody()) {
                for (int i = 0; i < blocks; i++) {
                    out.write(block);
                }
            } catch (IOException e) {
                // Its client is gone, as it may be.
            }
        };
    }

    private RunningProgram gateway(CountingService origin, String direct, String more) throws IOException {
        Path settings = Files.writeString(directory.resolve("semel.yaml"), more);
        return RunningProgram.shipped(
                directory,
                direct,
                "gateway",
                "--config",
                settings.toString(),
                "--upstream",
                origin.url(),
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0",
                "--store",
                "memory:");
    }

    private static int port(RunningProgram gateway) {
        int port =
                Integer.parseInt(gateway.await("gateway on https?://.*:(\\d+)").group(1));
        gateway.await("Ready");
        return port;
    }

    private static byte[] ask(int i) {
        String key = i % 2 == 0 ? "" : "Idempotency-Key: k" + i + "\r\n";
        return ("POST /large/" + (1 + i % 20) + " HTTP/1.1\r\nHost: x\r\n" + key + "Content-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static Socket connect(int port, int host) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host}), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientsThatDoNotReadLargeAnswersKeepNobodyWaiting(boolean tls) throws Exception {
        Certificates own = new Certificates(directory, "own");
        List<Socket> open = new ArrayList<>();
        try (CountingService origin = new CountingService();
                RunningProgram gateway = gateway(
                        origin,
                        "256m",
                        tls ? "tls: {certificate: '" + own.certificate + "', key: '" + own.key + "'}" : "")) {
            answer(origin);
            int port = port(gateway);
            pay(port, tls ? own : null, 0);
            for (int i = 0; i < 300; i++) {
                assertThat(gateway.said().stream().filter(UnreadAnswersTest::isWithoutMemory))
                        .isEmpty();
                Socket socket = connect(port, 10 + i % 3);
                socket.setSoTimeout(20_000);
                open.add(socket);
                try {
                    Socket speaking = tls ? secured(own, socket, port) : socket;
                    speaking.getOutputStream().write(ask(i));
                } catch (IOException e) {
                    // Turned away, as it may be.
                }
                if (i % 10 == 9) {
                    assertThat(pay(port, tls ? own : null, i)).isLessThan(LONGEST);
                }
            }
            for (int i = 0; i < 20; i++) {
                assertThat(pay(port, tls ? own : null, 1000 + i)).isLessThan(LONGEST);
            }
            assertThat(gateway.process.isAlive()).isTrue();
            assertThat(gateway.said().stream().filter(UnreadAnswersTest::isWithoutMemory))
                    .isEmpty();
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    private static boolean isWithoutMemory(String line) {
        return line.contains("OutOf") || line.contains("Terminating");
    }

    private static Socket secured(Certificates own, Socket socket, int port) throws Exception {
        SSLSocket secured =
                (SSLSocket) own.trusting(own).getSocketFactory().createSocket(socket, "127.0.0.1", port, true);
        secured.startHandshake();
        return secured;
    }

    /** A payment of somebody else, from another address, sent until it is made; how many milliseconds it took. */
    private static long pay(int port, Certificates tls, int i) throws Exception {
        long start = System.nanoTime();
        while (!isPaid(port, tls, i)) {
            assertThat(millisSince(start)).isLessThan(LONGEST);
        }
        return millisSince(start);
    }

    private static long millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static boolean isPaid(int port, Certificates tls, int i) throws Exception {
        try (Socket plain = connect(port, 9)) {
            plain.setSoTimeout(20_000);
            Socket socket = tls == null ? plain : secured(tls, plain, port);
            socket.getOutputStream()
                    .write(("POST /payments HTTP/1.1\r\nHost: x\r\nIdempotency-Key: p" + i
                                    + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = RawHttp.read(socket);
            return answer.startsWith("HTTP/1.1 201");
        } catch (IOException e) {
            // In the first second nobody is slow yet.
            return false;
        }
    }

    @Test
    void aGatewayThatHasNoMemoryLeftBesideItsHeapEnds() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (CountingService origin = new CountingService();
                RunningProgram gateway = gateway(origin, "3m", "")) {
            answer(origin);
            int port = port(gateway);
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(4096);
                open.add(socket);
                try {
                    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    socket.getOutputStream().write(ask(i));
                } catch (IOException e) {
                    // It has ended, as it should.
                }
            }

            assertThat(gateway.awaitEnd()).isEqualTo(3);
            assertThat(gateway.said()).anyMatch(line -> line.contains("Terminating due to"));
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }
}
