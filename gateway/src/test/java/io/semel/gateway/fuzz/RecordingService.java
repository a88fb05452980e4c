// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service that writes down what reaches it, read strictly, and answers every request with its id. */
final class RecordingService implements AutoCloseable {

    private static final Pattern ID = Pattern.compile("s[0-9a-f]{8,16}x");

    private final SocketServer server = new SocketServer(this::serve);
    private final Map<String, List<ReceivedRequest>> arrived = new TreeMap<>();

    int port() {
        return server.port();
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

    private void serve(Socket socket) throws IOException {
        try {
            RequestReader reader = new RequestReader(new BufferedInputStream(socket.getInputStream()), Set.of());
            for (ReceivedRequest next = reader.next(); next != null; next = reader.next()) {
                add(next);
                answer(socket, next);
            }
        } catch (Malformed e) {
            add(ReceivedRequest.unreadable(e.getMessage()));
        } catch (EOFException e) {
            // A client that went within its body takes its request along.
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
        server.close();
    }
}
