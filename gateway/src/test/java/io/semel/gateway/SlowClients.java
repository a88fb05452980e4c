// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that cost a gateway as much as they can, in a process of its own with 256 MB, beside one that only wants its answers. */
final class SlowClients implements AutoCloseable {

    private static final int LARGE_ANSWER = 900 << 10;

    private final CountingService origin = new CountingService();
    /** A service to which connections neither come about nor fail, since all that it may have waiting are there. */
    private final ServerSocket stuck = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

    private final RunningProgram gateway;
    private final int port;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Closeable> open = new ArrayList<>();
    private long direct;
    private final AtomicInteger payments = new AtomicInteger();

    SlowClients(Path directory) throws IOException {
        for (int i = 0; i < 2; i++) {
            open.add(RawHttp.connect(stuck.getLocalPort()));
        }
        Path settings = Files.writeString(
                directory.resolve("semel.yaml"),
                "limits: {connectTime: 60s}\nroutes: [{path: /stuck, upstream: 'http://127.0.0.1:"
                        + stuck.getLocalPort() + "'}, {path: /**, key: optional, upstream: '" + origin.url() + "'}]");
        gateway = RunningProgram.semel(
                directory,
                "gateway",
                "--config",
                settings.toString(),
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0",
                "--store",
                "memory:");
        port = Integer.parseInt(gateway.await("gateway on http://.*:(\\d+)").group(1));
        gateway.await("Ready");
        origin.behaviour = (exchange, body, effect) -> CountingService.answer(
                exchange, 201, exchange.getRequestURI().getPath().equals("/large") ? "x".repeat(LARGE_ANSWER) : "paid");
        pay();
        RawHttp.send(port, post("/large", "large", "Connection: close\r\nContent-Length: 2\r\n", "{}"));
    }

    /** One request of HTTP/2 that is answered: the first of all takes long, and not because of anybody. */
    void warmUp() throws Exception {
        try (Http2Client client = new Http2Client(port)) {
            client.send(
                    Http2Client.HEADERS,
                    Http2Client.END_HEADERS | Http2Client.END_STREAM,
                    1,
                    Http2Client.block(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "x"));
            client.verdict();
        }
        slowest(50);
    }

    /** A payment of somebody else, from another address; how many milliseconds it took. */
    long pay() throws IOException {
        long start = System.nanoTime();
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), port, InetAddress.getByAddress(new byte[] {127, 0, 0, 9}), 0)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(post(
                            "/pay",
                            "other-" + payments.incrementAndGet(),
                            "Connection: close\r\nContent-Length: 2\r\n",
                            "{}"));
            String answer = RawHttp.read(socket);
            if (!answer.startsWith("HTTP/1.1 201") || !answer.endsWith("paid")) {
                throw new IOException("An honest client was told: " + answer);
            }
        }
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static byte[] post(String path, String key, String headers, String body) {
        return ("POST " + path + " HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " + key + "\r\n" + headers + "\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** A body of so many chunks of one byte; returns its answer. */
    String oneByteChunks(int chunks) throws IOException {
        try (Socket socket = RawHttp.connect(port)) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write(post(
                    "/pay",
                    "chunks-" + chunks + "-" + System.nanoTime(),
                    "Connection: close\r\nTransfer-Encoding: chunked\r\n",
                    ""));
            byte[] many = "1\r\nx\r\n".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
            for (int sent = 0; sent < chunks; sent += 10_000) {
                out.write(many);
            }
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return RawHttp.read(socket);
        }
    }

    /** Asks for a large answer again and again and reads nothing, until it may not ask any more. */
    void neverRead(int clients) throws IOException {
        // Many in one go: it is not the cost of sending that is to be seen.
        byte[] ask = new String(post("/large", "large", "Content-Length: 2\r\n", "{}"), StandardCharsets.US_ASCII)
                .repeat(1000)
                .getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < clients; i++) {
            Socket socket = new Socket();
            socket.setReceiveBufferSize(4096);
            socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            open.add(socket);
            threads.execute(() -> {
                try {
                    for (int n = 0; n < 10; n++) {
                        socket.getOutputStream().write(ask);
                    }
                } catch (IOException e) {
                    // Closed for it, or by the end of the test.
                }
            });
        }
    }

    /** Streams of HTTP/2 whose answers it never lets come, while it goes on talking. */
    void zeroWindows(int connections, int streams) throws IOException {
        for (int i = 0; i < connections; i++) {
            Http2Client client = new Http2Client(port);
            open.add(client);
            client.send(Http2Client.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
            byte[] head = Http2Client.block(
                    ":method",
                    "POST",
                    ":scheme",
                    "http",
                    ":path",
                    "/large",
                    ":authority",
                    "x",
                    "idempotency-key",
                    "large");
            for (int stream = 1; stream < 2 * streams; stream += 2) {
                client.send(Http2Client.HEADERS, Http2Client.END_HEADERS, stream, head);
                client.send(Http2Client.DATA, Http2Client.END_STREAM, stream, "{}".getBytes(StandardCharsets.US_ASCII));
            }
            threads.execute(() -> {
                try {
                    for (int n = 0; n < 100; n++) {
                        client.pings(1000);
                    }
                } catch (IOException e) {
                    // Closed for it, or by the end of the test.
                }
            });
        }
    }

    /** Bodies by HTTP/2, a byte a frame with much that means nothing in between, for a service that does not take them. */
    void tinyFrames(int connections) throws IOException {
        byte[] head = Http2Client.block(":method", "PUT", ":scheme", "http", ":path", "/stuck", ":authority", "x");
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        byte[] one = {0, 0, 1, Http2Client.DATA, 0, 0, 0, 0, 1, 'x'};
        byte[] nothing = new byte[9 + 4000];
        nothing[1] = 4000 >> 8;
        nothing[2] = (byte) 4000;
        nothing[3] = 99;
        for (int i = 0; i < 500; i++) {
            for (int n = 0; n < 100; n++) {
                frames.write(one);
            }
            frames.write(nothing);
        }
        byte[] all = frames.toByteArray();
        for (int i = 0; i < connections; i++) {
            Http2Client client = new Http2Client(port);
            open.add(client);
            client.send(Http2Client.HEADERS, Http2Client.END_HEADERS, 1, head);
            threads.execute(() -> {
                try {
                    client.write(all);
                } catch (IOException e) {
                    // Reset for it, or closed by the end of the test.
                }
            });
        }
    }

    /** As many requests as can be sent behind one that is not answered. */
    void pipelined(int connections) throws IOException {
        byte[] ask = "GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n".repeat(40_000).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < connections; i++) {
            send(ask);
        }
    }

    /** Heads of as many lines as there is room for, of requests that are not answered. */
    void manyLines(int connections) throws IOException {
        byte[] ask = ("GET /stuck HTTP/1.1\r\nHost: x\r\n" + "a:b\r\n".repeat(3000) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < connections; i++) {
            send(ask);
        }
    }

    /** Heads of as many lines as there is room for, and no end. */
    void unfinishedHeads(int connections) throws IOException {
        byte[] ask = ("GET / HTTP/1.1\r\nHost: x\r\n" + "a:b\r\n".repeat(3000)).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < connections; i++) {
            send(ask);
        }
    }

    /** Bodies that have ended, but for their trailers. */
    void unfinishedTrailers(int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            String body = "1\r\nx\r\n0\r\n" + "a:b\r\n".repeat(3000);
            send(post("/pay", "trailers-" + System.nanoTime(), "Transfer-Encoding: chunked\r\n", body));
        }
    }

    private void send(byte[] bytes) throws IOException {
        Socket socket = RawHttp.connect(port);
        open.add(socket);
        threads.execute(() -> {
            try {
                socket.getOutputStream().write(bytes);
            } catch (IOException e) {
                // Closed for it, or by the end of the test.
            }
        });
    }

    /** Bodies that come to all but their last byte. */
    void stall(int bodies, int bytes) throws IOException {
        byte[] most = new byte[bytes - 1];
        for (int i = 0; i < bodies; i++) {
            Socket socket = RawHttp.connect(port);
            open.add(socket);
            socket.getOutputStream()
                    .write(post("/pay", "stalled-" + System.nanoTime(), "Content-Length: " + bytes + "\r\n", ""));
            threads.execute(() -> {
                try {
                    socket.getOutputStream().write(most);
                } catch (IOException e) {
                    // Refused, as it may be.
                }
            });
        }
    }

    /** How long the slowest of many payments takes, one after the other. */
    long slowest(int times) throws IOException {
        long slowest = 0;
        for (int i = 0; i < times; i++) {
            slowest = Math.max(slowest, pay());
            direct = Math.max(direct, ask());
        }
        return slowest;
    }

    /** As long as the slowest request straight to the service took: what a machine that has other things to do makes of it. */
    long slowestDirect() {
        return direct;
    }

    private long ask() throws IOException {
        long start = System.nanoTime();
        RawHttp.send(origin.port(), "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        return (System.nanoTime() - start) / 1_000_000;
    }

    long resident() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(gateway.process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                .findFirst()
                .orElseThrow();
    }

    boolean isAlive() {
        return gateway.process.isAlive();
    }

    List<String> said() {
        return gateway.said();
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : open) {
            each.close();
        }
        threads.shutdownNow();
        gateway.close();
        origin.close();
        stuck.close();
    }

    /** By hand, about a minute: everything at its full size. */
    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("semel-slow");
        try (SlowClients clients = new SlowClients(directory)) {
            clients.warmUp();
            System.out.println("alone: slowest of 100 " + clients.slowest(100) + " ms");
            ExecutorService threads = Executors.newSingleThreadExecutor();
            var chunks = threads.submit(() -> clients.oneByteChunks(2_000_000));
            long slowest = 0;
            while (!chunks.isDone()) {
                slowest = Math.max(slowest, clients.pay());
            }
            threads.shutdown();
            System.out.println(
                    "2,000,000 chunks: " + chunks.get().lines().findFirst().orElse("no answer") + ", slowest " + slowest
                            + " ms, " + clients.resident() + " MB");
            clients.neverRead(100);
            System.out.println(
                    "100 that never read: slowest " + clients.slowest(200) + " ms, " + clients.resident() + " MB");
            clients.zeroWindows(20, 100);
            System.out.println(
                    "20 with zero windows: slowest " + clients.slowest(200) + " ms, " + clients.resident() + " MB");
            clients.stall(6, 10 << 20);
            clients.stall(300, 64 << 10);
            System.out.println(
                    "306 stalled bodies: slowest " + clients.slowest(200) + " ms, " + clients.resident() + " MB");
            System.out.println("straight to the service meanwhile: slowest " + clients.slowestDirect() + " ms");
        } catch (SocketTimeoutException e) {
            System.out.println("An honest client waited for more than 20 s.");
            System.exit(1);
        }
        System.exit(0);
    }
}
