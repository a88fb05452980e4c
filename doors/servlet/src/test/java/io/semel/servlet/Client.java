// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

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

/** The plainest HTTP client: it sends the bytes it is given, and mends nothing. */
record Client(int port) {

    Got send(Sent sent) throws IOException {
        try (Line line = open()) {
            line.write(sent.bytes());
            return line.read();
        }
    }

    Line open() throws IOException {
        return new Line(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** A connection. */
    static final class Line implements AutoCloseable {

        private final Socket socket;
        private final InputStream in;

        Line(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(30_000);
            socket.setTcpNoDelay(true);
            this.in = new BufferedInputStream(socket.getInputStream());
        }

        void write(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        /** Whether anything has come from the server. */
        boolean isSilent() throws IOException {
            return in.available() == 0;
        }

        Got read() throws IOException {
            Got head = readHead();
            return new Got(head.status(), head.lines(), body(head));
        }

        Got readHead() throws IOException {
            String status = line();
            List<String> lines = new ArrayList<>();
            for (String line = line(); !line.isEmpty(); line = line()) {
                lines.add(line);
            }
            return new Got(Integer.parseInt(status.substring(9, 12)), lines, new byte[0]);
        }

        private byte[] body(Got head) throws IOException {
            if (head.status() == 204 || head.status() == 304 || head.status() < 200) {
                return new byte[0];
            }
            String length = head.header("Content-Length");
            if (length != null) {
                return exactly(Integer.parseInt(length));
            }
            return "chunked".equalsIgnoreCase(head.header("Transfer-Encoding")) ? chunks() : in.readAllBytes();
        }

        private byte[] chunks() throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (byte[] chunk = chunk(); chunk.length > 0; chunk = chunk()) {
                body.writeBytes(chunk);
            }
            return body.toByteArray();
        }

        /** The line break after a chunk may come only with the next one. */
        byte[] chunk() throws IOException {
            String size = line();
            return exactly(Integer.parseInt(size.isEmpty() ? line() : size, 16));
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
}
