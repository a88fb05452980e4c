// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.HttpConversionUtil.ExtensionHeaderNames;
import io.semel.Attempt;
import io.semel.gateway.callers.ClientPeer;
import io.semel.gateway.config.ClientCert;
import io.semel.gateway.config.RouteSettings;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/** Prepares a client's request for the upstream: forwarding headers, host and certificates. */
public final class ForwardedHeaders {

    /** Tells the upstream which attempt this is, so that it can refuse one that was given up. */
    static final String FENCE = "Semel-Fence";

    /** The name under which a key that was found in the body is passed on. */
    public static final String KEY = "Idempotency-Key";

    private static final String SESSION = "Semel-Session";
    private static final List<String> SESSION_HEADERS = List.of(SESSION, "Semel-Request", "Semel-First-Outstanding");

    private final HeaderFilter filter;
    private final ClientCertHeaders certificates;

    public ForwardedHeaders(HeaderFilter filter, ClientCert passed) {
        this.filter = filter;
        this.certificates = new ClientCertHeaders(passed);
    }

    public HttpRequest prepare(HttpRequest request, Channel client, RouteSettings route) {
        HttpHeaders headers = request.headers();
        boolean upgrade = isUpgrade(request);
        String protocol = upgrade ? headers.get(HttpHeaderNames.UPGRADE) : null;
        clean(headers, client);
        addForwarded(headers, client);
        if (route.upstreamHost() || !headers.contains(HttpHeaderNames.HOST)) {
            headers.set(HttpHeaderNames.HOST, route.upstream().authority());
        }
        if (protocol != null) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderNames.UPGRADE);
            headers.set(HttpHeaderNames.UPGRADE, protocol);
        }
        if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        request.setProtocolVersion(HttpVersion.HTTP_1_1);
        return request;
    }

    /** Removes the headers that end at the gateway, and adds the verified certificate. */
    public void clean(HttpHeaders headers, Channel client) {
        filter.removeHopByHop(headers);
        for (ExtensionHeaderNames name : ExtensionHeaderNames.values()) {
            headers.remove(name.text());
        }
        headers.remove(HttpHeaderNames.EXPECT);
        headers.remove(FENCE);
        certificates.add(headers, client);
    }

    /** Adds the fence; a session is between client and gateway, so the upstream gets a key in place of its number. */
    public static void addAttempt(HttpHeaders headers, Attempt attempt) {
        headers.set(FENCE, attempt.fence());
        if (headers.contains(SESSION)) {
            SESSION_HEADERS.forEach(headers::remove);
            headers.set(KEY, attempt.derive("upstream"));
        }
    }

    /** Whether the client wants to speak something else, such as WebSocket, on this connection. */
    static boolean isUpgrade(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return headers.contains(HttpHeaderNames.UPGRADE)
                && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderNames.UPGRADE, true)
                && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && !headers.containsValue(HttpHeaderNames.UPGRADE, "h2c", true);
    }

    private static void addForwarded(HttpHeaders headers, Channel client) {
        String address = address(ClientPeer.address(client));
        String scheme = ClientPeer.isSecure(client) ? "https" : "http";
        String host = headers.get(HttpHeaderNames.HOST);
        headers.set("x-forwarded-for", joined(headers.getAll("x-forwarded-for"), address));
        setIfNone(headers, "x-forwarded-proto", scheme);
        String element = "for=" + (address.indexOf(':') < 0 ? address : "\"[" + address + "]\"") + ";proto=" + scheme;
        if (host != null) {
            setIfNone(headers, "x-forwarded-host", host);
            // Which has nothing to escape, or the request would have been refused.
            element += ";host=\"" + host + "\"";
        }
        headers.set("forwarded", joined(closed(headers.getAll("forwarded")), element));
    }

    /** A value that is already there comes from a trusted proxy and describes the hop before. */
    private static void setIfNone(HttpHeaders headers, String name, String value) {
        if (!headers.contains(name)) {
            headers.set(name, value);
        }
    }

    /** Lines whose quotes are closed; after an open quote our own element would be part of the quoted text. */
    private static List<String> closed(List<String> lines) {
        return lines.stream().filter(ForwardedHeaders::isClosed).toList();
    }

    private static boolean isClosed(String line) {
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
            }
        }
        return !quoted;
    }

    private static String joined(List<String> before, String next) {
        return before.isEmpty() ? next : String.join(", ", before) + ", " + next;
    }

    private static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "unknown";
    }
}
