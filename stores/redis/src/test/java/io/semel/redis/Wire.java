// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** A network between clients and Redis that fails once, at a word in what a client says. */
final class Wire implements AutoCloseable {

    /** How it fails. */
    enum Failure {
        /** Closed before Redis has it. */
        CUT_BEFORE,
        /** Closed when Redis has it, before its answer. */
        CUT_AFTER,
        /** Redis has it, but nobody is told anything any more. */
        SILENT_AFTER
    }

    private final ServerSocket entry;
    private final int target;
    private final AtomicReference<Fault> next = new AtomicReference<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    Wire(int target) {
        this.target = target;
        try {
            this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    int port() {
        return entry.getLocalPort();
    }

    void failAt(String word, Failure failure) {
        next.set(new Fault(word, failure));
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = entry.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(client);
            sockets.add(server);
            AtomicReference<Failure> struck = new AtomicReference<>();
            start(() -> forth(client, server, struck));
            start(() -> back(server, client, struck));
        }
    }

    private void forth(Socket client, Socket server, AtomicReference<Failure> struck) throws IOException {
        byte[] bytes = new byte[65536];
        InputStream in = client.getInputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
            Fault fault = next.get();
            String said = new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
            if (fault != null && said.contains(fault.word) && next.compareAndSet(fault, null)) {
                struck.set(fault.failure);
            }
            if (struck.get() == Failure.CUT_BEFORE) {
                break;
            }
            server.getOutputStream().write(bytes, 0, count);
        }
        server.close();
        client.close();
    }

    private void back(Socket server, Socket client, AtomicReference<Failure> struck) throws IOException {
        byte[] bytes = new byte[65536];
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
            if (struck.get() == Failure.CUT_AFTER) {
                break;
            } else if (struck.get() == null) {
                out.write(bytes, 0, count);
            }
        }
        server.close();
        client.close();
    }

    @Override
    public void close() throws IOException {
        entry.close();
        for (Socket each : sockets) {
            each.close();
        }
    }

    private static void start(Pump pump) {
        Thread thread = new Thread(() -> {
            try {
                pump.run();
            } catch (IOException closed) {
                // By one of the ends, or by the failure.
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private record Fault(String word, Failure failure) {}

    private interface Pump {
        void run() throws IOException;
    }
}
