// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Sends bytes as they are, and reads what comes back. */
public final class RawHttp {

    private static final int PATIENCE_MILLIS = 20_000;

    static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /** Everything that comes back until the other side closes, or nothing more is needed. */
    public static String send(int port, String text) throws IOException {
        return send(port, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static String send(int port, byte[] bytes) throws IOException {
        try (Socket socket = connect(port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
            } catch (SocketException e) {
                // The other side need not read to the end what it has refused.
            }
            return read(socket);
        }
    }

    public static String read(Socket socket) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        try {
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                read.write(buffer, 0, n);
            }
        } catch (SocketException e) {
            // Reset: what came before it counts.
        }
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    private RawHttp() {}
}
