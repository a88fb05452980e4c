// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service that plays a script for each request, and keeps which ones it played. */
final class HostileService implements AutoCloseable {

    private final Author author;
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Map<String, List<AnswerScript>> played = new ConcurrentHashMap<>();

    HostileService(Author author) {
        this.author = author;
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

    int connections() {
        return open.size();
    }

    /** What was done for the request of that id, in order. */
    List<AnswerScript> played(String id) {
        return List.copyOf(played.getOrDefault(id, List.of()));
    }

    void forget(String id) {
        played.remove(id);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            OctetReader octets = new OctetReader(new BufferedInputStream(socket.getInputStream()), Set.of());
            for (String line = octets.firstLine(); line != null; line = octets.firstLine()) {
                Fields fields = octets.fields();
                if (!next(line, fields).play(socket, () -> body(fields, octets))) {
                    return;
                }
            }
        } catch (IOException e) {
            // The gateway has had enough of it.
        } finally {
            open.remove(socket);
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
        try {
            server.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }

    /** Whoever writes the scripts. */
    interface Author {

        AnswerScript write(String id, int attempt, boolean toHead);
    }
}
