// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A service that plays a script for each request, and keeps which ones it played. */
final class HostileService implements AutoCloseable {

    private final Author author;
    private final SocketServer server = new SocketServer(this::serve);
    private final Map<String, List<AnswerScript>> played = new ConcurrentHashMap<>();

    HostileService(Author author) {
        this.author = author;
    }

    int port() {
        return server.port();
    }

    int connections() {
        return server.connections();
    }

    /** What was done for the request of that id, in order. */
    List<AnswerScript> played(String id) {
        return List.copyOf(played.getOrDefault(id, List.of()));
    }

    void forget(String id) {
        played.remove(id);
    }

    private void serve(Socket socket) throws IOException {
        OctetReader octets = new OctetReader(new BufferedInputStream(socket.getInputStream()), Set.of());
        for (String line = octets.firstLine(); line != null; line = octets.firstLine()) {
            Fields fields = octets.fields();
            if (!next(line, fields).play(socket, () -> body(fields, octets))) {
                return;
            }
        }
    }

    private AnswerScript next(String line, Fields fields) {
        String id = fields.one("x-id");
        List<AnswerScript> before = played.computeIfAbsent(id, none -> Collections.synchronizedList(new ArrayList<>()));
        synchronized (before) {
            AnswerScript script = author.write(id, before.size(), line.startsWith("HEAD "));
            before.add(script);
            return script;
        }
    }

    private static void body(Fields fields, OctetReader octets) throws IOException {
        if (fields.has("transfer-encoding")) {
            octets.chunks();
        } else if (fields.has("content-length")) {
            octets.exactly(Long.parseLong(fields.one("content-length")));
        }
    }

    @Override
    public void close() {
        server.close();
    }

    /** Whoever writes the scripts. */
    interface Author {

        AnswerScript write(String id, int attempt, boolean toHead);
    }
}
