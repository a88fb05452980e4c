// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** A line between a client and a server that can be cut: now, or before the server gets to hear a word. */
final class Line implements AutoCloseable {

    private final ServerSocket entry;
    private final int target;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicReference<String> word = new AtomicReference<>("");

    Line(int target) throws IOException {
        this.target = target;
        this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return entry.getLocalPort();
    }

    /** Whatever is on its way is lost; who comes again gets through. */
    void cut() {
        try {
            for (Socket each = sockets.poll(); each != null; each = sockets.poll()) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Once. */
    void cutBefore(String said) {
        word.set(said);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = entry.accept();
            Socket server;
            try {
                server = new Socket(InetAddress.getLoopbackAddress(), target);
            } catch (IOException down) {
                client.close();
                continue;
            }
            sockets.add(client);
            sockets.add(server);
            start(() -> pass(client, server));
            start(() -> pass(server, client));
        }
    }

    private void pass(Socket from, Socket to) throws IOException {
        byte[] bytes = new byte[65536];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                String awaited = word.get();
                if (!awaited.isEmpty()
                        && new String(bytes, 0, count, ISO_8859_1).contains(awaited)
                        && word.compareAndSet(awaited, "")) {
                    return;
                }
                to.getOutputStream().write(bytes, 0, count);
                to.getOutputStream().flush();
            }
        }
    }

    @Override
    public void close() throws IOException {
        entry.close();
        cut();
    }

    private static void start(Job job) {
        Thread thread = new Thread(() -> {
            try {
                job.run();
            } catch (IOException closed) {
                // By one of the ends, or because it was cut.
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private interface Job {
        void run() throws IOException;
    }
}
