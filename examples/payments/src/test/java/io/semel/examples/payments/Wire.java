// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Requests on a bare socket: malformed ones too, and ones that nobody waits for. */
record Wire(int port) {

    private static final int SECONDS = 60;

    /** One answer. */
    record Answer(String head, String body) {

        int status() {
            return Integer.parseInt(head.split(" ", 3)[1]);
        }

        boolean replayed() {
            return head.contains("Idempotent-Replayed: true");
        }

        /** The last part of the problem's type, or nothing. */
        String problem() {
            return body.contains("urn:semel:problem:")
                    ? body.replaceAll("(?s).*urn:semel:problem:([a-z-]+).*", "$1")
                    : "";
        }
    }

    /** A POST of JSON, with these header lines beside the usual ones. */
    static byte[] post(String path, String json, String... lines) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        StringBuilder head =
                new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        for (String line : lines) {
            head.append(line).append("\r\n");
        }
        if (!head.toString().contains("Content-Type")) {
            head.append("Content-Type: application/json\r\n");
        }
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        return all.toByteArray();
    }

    Answer send(byte[] request) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request);
            return read(socket.getInputStream());
        }
    }

    /** Sends as much of it as is said, and cuts the connection without a word. */
    void sendAndCut(byte[] request, int bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request, 0, bytes);
            socket.setSoLinger(true, 0);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket("localhost", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(SECONDS * 1000);
        return socket;
    }

    private static Answer read(InputStream in) throws IOException {
        String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        int end = all.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new IOException("The connection was closed before an answer came.");
        }
        String head = all.substring(0, end);
        String rest = all.substring(end + 4);
        return new Answer(head, head.toLowerCase(java.util.Locale.ROOT).contains("chunked") ? joined(rest) : rest);
    }

    private static String joined(String chunks) {
        StringBuilder body = new StringBuilder();
        int at = 0;
        while (at < chunks.length()) {
            int line = chunks.indexOf("\r\n", at);
            int length = Integer.parseInt(chunks.substring(at, line), 16);
            body.append(chunks, line + 2, line + 2 + length);
            at = line + 4 + length;
        }
        return body.toString();
    }
}
