// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A service that answers every request with the bytes it was told, right or wrong, and keeps what it was sent. */
final class ScriptedService implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)");

    final List<String> requests = new CopyOnWriteArrayList<>();
    /** What requests wait for before they are answered. */
    volatile CountDownLatch go = new CountDownLatch(0);

    volatile CountDownLatch arrived = new CountDownLatch(1);
    volatile String answer;
    /** Whether it closes its connection behind the answer. */
    volatile boolean closing;

    private final @Nullable SSLContext tls;
    /** Whether the connection is closed and TLS is not. */
    private final boolean cutting;

    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    ScriptedService(String answer) throws IOException {
        this(answer, null, false);
    }

    /** @param tls null for one without */
    ScriptedService(String answer, @Nullable SSLContext tls, boolean cutting) throws IOException {
        this.answer = answer;
        this.tls = tls;
        this.cutting = cutting;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** Settings of a gateway before it. */
    String route(String... more) {
        return "routes: [{path: /**, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'" + String.join("", more)
                + "}]\n";
    }

    int connections() {
        return open.size();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                threads.execute(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void serve(Socket plain) {
        try (plain;
                Socket socket = tls == null ? plain : secured(tls, plain)) {
            do {
                requests.add(request(socket.getInputStream()));
                arrived.countDown();
                go.await();
                OutputStream out = socket.getOutputStream();
                out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            } while (!closing);
            if (cutting) {
                plain.close();
            }
        } catch (IOException | InterruptedException e) {
            // The gateway has closed its connection, or the test is over.
        }
    }

    private static Socket secured(SSLContext tls, Socket plain) throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, null, true);
        socket.setUseClientMode(false);
        return socket;
    }

    private static String request(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        readTo(in, text, "\r\n\r\n");
        Matcher length = LENGTH.matcher(text);
        if (length.find()) {
            text.append(new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.ISO_8859_1));
        } else if (text.toString().toLowerCase(java.util.Locale.ROOT).contains("\r\ntransfer-encoding: chunked")) {
            readTo(in, text, "\r\n0\r\n");
            readTo(in, text, "\r\n");
            while (!text.toString().endsWith("\r\n\r\n")) {
                readTo(in, text, "\r\n");
            }
        }
        return text.toString();
    }

    private static void readTo(InputStream in, StringBuilder text, String end) throws IOException {
        int from = text.length();
        do {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            text.append((char) next);
        } while (text.length() - from < end.length()
                || !text.substring(text.length() - end.length()).equals(end));
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket each : open) {
            each.close();
        }
        threads.shutdownNow();
    }
}
