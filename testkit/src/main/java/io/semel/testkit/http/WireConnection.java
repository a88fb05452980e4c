// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** The plainest HTTP client: it sends the bytes that it is given, and mends nothing. */
final class WireConnection implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;
    private static final int STATUS = "HTTP/1.1 ".length();

    private final Socket socket;
    private final InputStream in;

    WireConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    void write(WireRequest request) throws IOException {
        socket.getOutputStream().write(request.bytes());
        socket.getOutputStream().flush();
    }

    /** Hangs up in a way that no server can overlook. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    WireResponse read(String method) throws IOException {
        String first = line();
        int status = Integer.parseInt(first.substring(STATUS, STATUS + 3));
        List<String> lines = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            lines.add(line);
        }
        WireResponse head = new WireResponse(status, lines, new byte[0]);
        boolean bodiless = method.equals("HEAD") || status == 204 || status == 304;
        return bodiless ? head : new WireResponse(status, lines, body(head));
    }

    private byte[] body(WireResponse head) throws IOException {
        List<String> length = head.headers("Content-Length");
        if (!length.isEmpty()) {
            return exactly(Integer.parseInt(length.get(0)));
        }
        return head.headers("Transfer-Encoding").contains("chunked") ? chunks() : in.readAllBytes();
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.writeBytes(exactly(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The response breaks off after " + bytes.length + " of " + length + " bytes.");
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The server hung up.");
            }
            line.write(next);
        }
        return line.toString(ISO_8859_1).strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
