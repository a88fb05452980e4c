// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.soak;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Clients that leave in the middle, send a byte a second, or ask for much and read nothing; the oldest give way to new ones. */
final class HostileClients {

    private static final int MOST_OPEN = 100;
    private static final int ROUND_MILLIS = 100;

    private final int port;
    private final Random random = new Random(1);
    private final Deque<Socket> open = new ArrayDeque<>();
    private long came;

    HostileClients(int port) {
        this.port = port;
    }

    Void botherUntil(long end) throws InterruptedException, IOException {
        while (System.nanoTime() < end) {
            come();
            for (Socket each : open) {
                say(each, "x");
            }
            while (open.size() > MOST_OPEN) {
                open.removeFirst().close();
            }
            TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
        }
        for (Socket each : open) {
            each.close();
        }
        return null;
    }

    private void come() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReceiveBufferSize(4096);
            // What one address may hold is limited, and the payers have another.
            socket.bind(new InetSocketAddress("127.0.0.9", 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
        } catch (IOException e) {
            // The gateway has just been killed.
            socket.close();
            return;
        }
        came++;
        String head = "POST /pay HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nuisance\r\n";
        String body = "nuisance " + came;
        String keyed = head + "Idempotency-Key: n-" + came + "\r\nContent-Length: ";
        switch (random.nextInt(4)) {
            case 0 -> say(socket, head.substring(0, random.nextInt(head.length())));
            case 1 -> say(socket, keyed + "100000\r\n\r\n");
            case 2 -> say(socket, (keyed + body.length() + "\r\n\r\n" + body).repeat(50));
            default -> {
                say(socket, keyed + body.length() + "\r\n\r\n" + body);
                socket.setSoLinger(true, 0);
                socket.close();
                return;
            }
        }
        open.addLast(socket);
    }

    private static void say(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // Closed for it, or killed.
        }
    }

    String summary() {
        return "%,d nuisances".formatted(came);
    }
}
