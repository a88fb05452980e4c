// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** A service that requests are passed on to. */
public record Upstream(boolean tls, String host, int port) {

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /** Reads {@code http://host:port} or {@code https://host}. */
    public static Upstream of(String url) {
        try {
            URI uri = new URI(url);
            boolean tls = "https".equals(uri.getScheme());
            boolean plainPath = uri.getRawPath() == null || uri.getRawPath().matches("/?");
            boolean nothingElse = uri.getRawQuery() == null && uri.getRawUserInfo() == null;
            if ((tls || "http".equals(uri.getScheme())) && uri.getHost() != null && plainPath && nothingElse) {
                int port = uri.getPort() > 0 ? uri.getPort() : tls ? HTTPS : HTTP;
                return new Upstream(tls, uri.getHost().replaceAll("^\\[|]$", ""), port);
            }
        } catch (URISyntaxException e) {
            throw wrong(url, e);
        }
        throw wrong(url, null);
    }

    private static ConfigError wrong(String url, @Nullable Throwable cause) {
        String message =
                "'" + url + "' is not an upstream; write http://host:port or https://host:port, without a path.";
        return cause == null ? new ConfigError(message) : new ConfigError(message, cause);
    }

    /** Host and port as they stand in a Host header. */
    public String authority() {
        String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return port == (tls ? HTTPS : HTTP) ? name : name + ":" + port;
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + authority();
    }
}
