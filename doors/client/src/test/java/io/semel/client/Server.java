// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;

/** A server of plain sockets, which can also answer badly; it takes one request per connection. */
final class Server implements AutoCloseable {

    final List<Received> received = new CopyOnWriteArrayList<>();

    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final BiFunction<Integer, Received, Act> script;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private int connections;

    private Server(BiFunction<Integer, Received, Act> script) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.script = script;
        threads.execute(this::accept);
    }

    /** Does this with the first request, that with the second, and so on; the last one from then on. */
    static Server doing(Act... acts) throws IOException {
        return new Server((number, request) -> acts[Math.min(number, acts.length - 1)]);
    }

    /** Decides by the request. */
    static Server deciding(BiFunction<Integer, Received, Act> script) throws IOException {
        return new Server(script);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort() + path);
    }

    Intent pay() {
        return Intent.of(HttpRequest.newBuilder(uri("/payments"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"amountCents\":500}"))
                .build());
    }

    List<String> keys() {
        return received.stream()
                .map(request -> request.header("idempotency-key"))
                .distinct()
                .toList();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                open.add(socket);
                int number = connections++;
                threads.execute(() -> serve(number, socket));
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(int number, Socket socket) {
        try (socket) {
            Received request = Received.read(socket.getInputStream());
            received.add(request);
            script.apply(number, request).on(socket);
        } catch (IOException e) {
            // The client went away, as some tests have it do.
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }

    /** What the server does with a request that it has read. */
    interface Act {

        void on(Socket socket) throws IOException;

        static Act answer(int status, String body, String... headers) {
            return socket -> write(
                    socket,
                    head(status, headers) + "Content-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body);
        }

        static Act problem(int status, String slug, String... headers) {
            String[] more = List.of(headers).toArray(new String[headers.length + 1]);
            more[headers.length] = "Content-Type: application/problem+json";
            return answer(status, "{\"type\":\"urn:semel:problem:" + slug + "\",\"status\":" + status + "}", more);
        }

        /** Closes the connection without a word, with a reset. */
        static Act reset() {
            return socket -> socket.setSoLinger(true, 0);
        }

        /** Announces more than it sends. */
        static Act truncated() {
            return socket -> write(socket, head(200) + "Content-Length: 1000\r\n\r\nhalf an ans");
        }

        static Act nonsense() {
            return socket -> write(socket, "ICY 200 OK, so to say\r\n\r\n");
        }

        /** Never answers, until the client goes away. */
        static Act silence() {
            return socket -> socket.getInputStream().read();
        }

        /** Sends headers and a part of the body, and then nothing more. */
        static Act stall(Runnable whenClientLeaves) {
            return socket -> {
                write(socket, head(200) + "Content-Length: 1000\r\n\r\nhalf an ans");
                try {
                    socket.getInputStream().read();
                } finally {
                    whenClientLeaves.run();
                }
            };
        }

        private static String head(int status, String... headers) {
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Some Reason\r\nConnection: close\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            return head.toString();
        }

        private static void write(Socket socket, String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(UTF_8));
            socket.getOutputStream().flush();
        }
    }

    /** A request as it came. */
    record Received(String line, Map<String, String> headers, String body) {

        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        static Received read(InputStream in) throws IOException {
            String line = line(in);
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String next = line(in); !next.isEmpty(); next = line(in)) {
                int colon = next.indexOf(':');
                headers.merge(
                        next.substring(0, colon), next.substring(colon + 1).strip(), (a, b) -> a + ", " + b);
            }
            int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
            return new Received(line, headers, new String(in.readNBytes(length), UTF_8));
        }

        private static String line(InputStream in) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new IOException("The client left in the middle of a line.");
                }
                bytes.write(b);
            }
            return bytes.toString(ISO_8859_1).stripTrailing();
        }
    }
}
