// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A connection that is kept, and reads just enough of each response to know where it ends. */
final class HttpLine {

    private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.ISO_8859_1);
    private static final String LENGTH = "content-length: ";

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 14];

    private HttpLine(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        in = socket.getInputStream();
    }

    private void post(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        int filled = 0;
        for (int end = -1; end < 0 || filled < end; ) {
            int count = in.read(buffer, filled, buffer.length - filled);
            if (count < 0) {
                throw new EOFException("The server hung up.");
            }
            filled += count;
            end = end < 0 ? end(filled) : end;
        }
        check();
    }

    /** Where the response ends; -1 as long as its head is not complete. */
    private int end(int filled) {
        for (int i = 3; i < filled; i++) {
            if (buffer[i] == '\n' && buffer[i - 2] == '\n') {
                return i + 1 + length(new String(buffer, 0, i, StandardCharsets.ISO_8859_1));
            }
        }
        return -1;
    }

    private static int length(String head) {
        for (int at = head.indexOf('\n') + 1; at > 0; at = head.indexOf('\n', at) + 1) {
            if (head.regionMatches(true, at, LENGTH, 0, LENGTH.length())) {
                int from = at + LENGTH.length();
                return Integer.parseInt(head, from, head.indexOf('\r', from), 10);
            }
        }
        throw new IllegalStateException("A response without a length: " + head);
    }

    private void check() {
        for (int i = 0; i < OK.length; i++) {
            if (buffer[i] != OK[i]) {
                throw new IllegalStateException(new String(buffer, 0, 500, StandardCharsets.ISO_8859_1));
            }
        }
    }

    /** As many connections as are used at once. */
    static final class Pool implements AutoCloseable {

        private final int port;
        private final Queue<HttpLine> free = new ConcurrentLinkedQueue<>();

        Pool(int port) {
            this.port = port;
        }

        void post(byte[] request) throws IOException {
            HttpLine line = free.poll();
            line = line == null ? new HttpLine(port) : line;
            line.post(request);
            free.add(line);
        }

        @Override
        public void close() throws IOException {
            for (HttpLine line : free) {
                line.socket.close();
            }
        }
    }
}
