// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of this machine on which nothing listens. */
public final class Ports {

    /** One for a server to come, or for none; the bus of a Redis, 10000 above it, is a port too. */
    public static int free() {
        for (int tries = 0; tries < 1000; tries++) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() < 55536) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("No port below 55536 is free.");
    }

    private Ports() {}
}
