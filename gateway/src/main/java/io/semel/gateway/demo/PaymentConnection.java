// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One client's connection, which can be broken on purpose between a request and its answer. */
final class PaymentConnection implements AutoCloseable {

    private static final int CONNECT_MILLIS = 5_000;

    private final int port;
    private final Duration patience;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    PaymentConnection(int port, Duration patience) {
        this.port = port;
        this.patience = patience;
    }

    /** Sends a payment and reads the answer; after an exception its outcome is unknown. */
    Answer pay(String order, long cents) throws IOException {
        try {
            return answer(send(order, cents));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Sends a payment and breaks the connection before the answer comes. */
    void payAndBreak(String order, long cents) throws IOException {
        try {
            send(order, cents);
        } finally {
            close();
        }
    }

    private InputStream send(String order, long cents) throws IOException {
        Socket to = socket;
        InputStream from = in;
        if (to == null || from == null) {
            to = new Socket();
            to.setTcpNoDelay(true);
            to.setSoTimeout((int) patience.toMillis());
            to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            from = new BufferedInputStream(to.getInputStream());
            socket = to;
            in = from;
        }
        String body = "{\"order\":\"" + order + "\",\"cents\":" + cents + "}";
        String request = "POST /payments HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nContent-Type: application/json\r\n"
                + "Idempotency-Key: " + order + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        to.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return from;
    }

    private Answer answer(InputStream from) throws IOException {
        int status = Integer.parseInt(line(from).split(" ", 3)[1]);
        int length = 0;
        boolean replayed = false;
        boolean last = false;
        for (String line = line(from); !line.isEmpty(); line = line(from)) {
            String header = line.toLowerCase(Locale.ROOT);
            if (header.startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring("content-length:".length()).strip());
            }
            replayed |= header.equals("idempotent-replayed: true");
            last |= header.equals("connection: close");
        }
        byte[] body = from.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("The answer is not whole.");
        }
        if (last) {
            close();
        }
        return new Answer(status, replayed, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream from) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = from.read(); next != '\n'; next = from.read()) {
            if (next < 0) {
                throw new EOFException("The connection was closed without an answer.");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        Socket open = socket;
        socket = null;
        if (open != null) {
            open.close();
        }
    }

    /** The response. */
    record Answer(int status, boolean replayed, String body) {}
}
