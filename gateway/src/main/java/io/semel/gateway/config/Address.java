// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.ConfigError;
import java.net.InetSocketAddress;

/** A host and a port to listen on. */
public record Address(String host, int port) {

    private static final int HIGHEST_PORT = 65535;

    /** Reads {@code host:port}, {@code [::1]:port} or a port alone, which means loopback. */
    public static Address of(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (!host.isEmpty() && port >= 0 && port <= HIGHEST_PORT) {
                return new Address(host.replaceAll("^\\[|]$", ""), port);
            }
        } catch (NumberFormatException e) {
            throw new ConfigError("'" + text + "' is not an address; write host:port, such as 127.0.0.1:8080.", e);
        }
        throw new ConfigError("'" + text + "' is not an address; write host:port, such as 127.0.0.1:8080.");
    }

    public InetSocketAddress socket() {
        return new InetSocketAddress(host, port);
    }

    /** Whether only this machine can reach it. */
    public boolean isLoopback() {
        InetSocketAddress address = socket();
        return address.getAddress() != null && address.getAddress().isLoopbackAddress();
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
