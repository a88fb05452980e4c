// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service that writes down what reaches it, read strictly, and answers every request with its id. */
final class RecordingService implements AutoCloseable {

    private static final Pattern ID = Pattern.compile("s[0-9a-f]{8,16}x");

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, List<ReceivedRequest>> arrived = new TreeMap<>();

    RecordingService() {
        try {
            server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** What came of the stream with that id, which is forgotten then. */
    List<ReceivedRequest> take(String id) {
        synchronized (arrived) {
            List<ReceivedRequest> found = arrived.remove(id);
            return found == null ? List.of() : found;
        }
    }

    /** What came when its client was gone already, by the id of the stream; an empty one where none can be seen. */
    Map<String, List<ReceivedRequest>> rest() {
        synchronized (arrived) {
            return new TreeMap<>(arrived);
        }
    }

    private void add(ReceivedRequest request) {
        Matcher id = ID.matcher(request.toString());
        synchronized (arrived) {
            arrived.computeIfAbsent(id.find() ? id.group() : "", none -> new ArrayList<>())
                    .add(request);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            RequestReader reader = new RequestReader(new BufferedInputStream(socket.getInputStream()), Set.of());
            for (ReceivedRequest next = reader.next(); next != null; next = reader.next()) {
                add(next);
                answer(socket, next);
            }
        } catch (Malformed e) {
            add(ReceivedRequest.unreadable(e.getMessage()));
        } catch (EOFException e) {
            // A client that went within its body takes its request along.
        } catch (IOException e) {
            // The proxy closed the connection, as it may.
        }
    }

    private static void answer(Socket socket, ReceivedRequest request) throws IOException {
        String body = "answer to " + request.id();
        String head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\nX-Echo: " + request.id()
                + "\r\nX-Echo-Method: " + request.method() + "\r\n\r\n";
        String answer = request.method().equals("HEAD") ? head : head + body;
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
