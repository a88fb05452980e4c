// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.config.yaml.YamlSection;
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
            throw wrong(url);
        }
        throw wrong(url);
    }

    /** Null where none is given; one that is wrong is noted, and another takes its place until all is read. */
    public static @Nullable Upstream in(YamlSection fields) {
        return fields.has("upstream")
                ? fields.read("upstream", new Upstream(false, "localhost", HTTP), Upstream::of)
                : null;
    }

    /** Checks that a text is a URL of HTTP. */
    public static String url(String text) {
        try {
            URI uri = new URI(text);
            String scheme = uri.getScheme();
            if (uri.getHost() != null && ("http".equals(scheme) || "https".equals(scheme))) {
                return text;
            }
        } catch (URISyntaxException e) {
            throw notUrl(text);
        }
        throw notUrl(text);
    }

    /** Without a cause, which would have all of it. */
    private static ConfigError notUrl(String text) {
        return new ConfigError("'" + shown(text) + "' is not a URL; write http://host:port/path");
    }

    private static ConfigError wrong(String url) {
        String message =
                "'" + shown(url) + "' is not an upstream; write http://host:port or https://host:port, without a path"
                        + " and without a user.";
        return new ConfigError(message);
    }

    /** A URL without what may be a secret: whoever is named before its host, and what is after a question mark. */
    static String shown(String url) {
        return url.replaceFirst("(?<=://)[^/?#]*@", "…@").replaceFirst("\\?.*", "?…");
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
