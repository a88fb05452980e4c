// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A network between clients and a server on this machine, which can be slow, and fail once at a word that a client says. */
public final class Wire implements AutoCloseable {

    /** When it fails. */
    public enum Moment {
        /** What was said does not get there. */
        BEFORE,
        /** It is obeyed, but the answer does not get back. */
        AFTER
    }

    /** How it fails. */
    public enum Failure {
        /** The connection is closed for both. */
        CUT,
        /** Nothing gets through any more, and nobody is told. */
        BLACK_HOLE
    }

    private final ServerSocket entry;
    private final int target;
    private final AtomicReference<@Nullable Fault> next = new AtomicReference<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile Duration delay = Duration.ZERO;

    private Wire(int target) {
        this.target = target;
        try {
            this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    /** A wire to the server on this port. */
    public static Wire to(int port) {
        return new Wire(port);
    }

    /** Where clients find the server through this wire. */
    public int port() {
        return entry.getLocalPort();
    }

    /** The next message of a client that has this word in it meets the failure, and all that follows on its connection. */
    public void failAt(String word, Moment moment, Failure failure) {
        next.set(new Fault(word, moment, failure));
    }

    /** Whether the failure has struck. */
    public boolean failed() {
        return next.get() == null;
    }

    /** How long what a server says takes to arrive, from now on. */
    public void delay(Duration span) {
        delay = span;
    }

    /** Closes all connections, with what is on its way on them; new ones get through. */
    public void cut() {
        try {
            for (Socket each = sockets.poll(); each != null; each = sockets.poll()) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            sockets.add(client);
            sockets.add(server);
            Line line = new Line(client, server);
            start(line::forth);
            start(line::back);
        }
    }

    @Override
    public void close() throws IOException {
        entry.close();
        cut();
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

    private record Fault(String word, Moment moment, Failure failure) {}

    private interface Pump {
        void run() throws IOException;
    }

    /** One connection. */
    private final class Line {

        private final Socket client;
        private final Socket server;
        private volatile @Nullable Fault striking;

        Line(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void forth() throws IOException {
            pump(client, server, true);
        }

        void back() throws IOException {
            pump(server, client, false);
        }

        private void pump(Socket from, Socket to, boolean forth) throws IOException {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[65536];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (forth) {
                    strike(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
                } else {
                    await(delay);
                }
                Fault fault = striking;
                if (fault == null || (forth && fault.moment == Moment.AFTER)) {
                    out.write(bytes, 0, count);
                } else if (fault.failure == Failure.CUT) {
                    break;
                }
            }
            Fault fault = striking;
            if (fault == null || fault.failure == Failure.CUT) {
                client.close();
                server.close();
            }
        }

        private void strike(String said) {
            Fault fault = next.get();
            if (fault != null && said.contains(fault.word) && next.compareAndSet(fault, null)) {
                striking = fault;
            }
        }

        private static void await(Duration span) {
            long end = System.nanoTime() + span.toNanos();
            for (long left = span.toNanos(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
