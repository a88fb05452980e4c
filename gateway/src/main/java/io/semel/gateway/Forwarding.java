// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.HttpConversionUtil.ExtensionHeaderNames;
import io.netty.handler.ssl.SslHandler;
import io.semel.gateway.config.RouteSettings;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/** Makes a client's request the gateway's own. */
final class Forwarding {

    /** Tells the upstream which attempt this is, so that it can refuse one that was given up. */
    static final String FENCE = "Semel-Fence";

    static HttpRequest prepare(HttpRequest request, Channel client, RouteSettings route) {
        HttpHeaders headers = request.headers();
        boolean upgrade = isUpgrade(request);
        String protocol = upgrade ? headers.get(HttpHeaderNames.UPGRADE) : null;
        clean(headers);
        addForwarded(headers, client);
        if (route.upstreamHost() || !headers.contains(HttpHeaderNames.HOST)) {
            headers.set(HttpHeaderNames.HOST, route.upstream().authority());
        }
        if (protocol != null) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderNames.UPGRADE);
            headers.set(HttpHeaderNames.UPGRADE, protocol);
        }
        request.setProtocolVersion(HttpVersion.HTTP_1_1);
        return request;
    }

    /** Takes away what is between the client and us. */
    static void clean(HttpHeaders headers) {
        HopByHop.remove(headers);
        for (ExtensionHeaderNames name : ExtensionHeaderNames.values()) {
            headers.remove(name.text());
        }
        headers.remove(HttpHeaderNames.EXPECT);
        headers.remove(FENCE);
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
        Channel connection =
                client.parent() instanceof ServerChannel || client.parent() == null ? client : client.parent();
        String address = address(connection.remoteAddress());
        String scheme = connection.pipeline().get(SslHandler.class) == null ? "http" : "https";
        String host = headers.get(HttpHeaderNames.HOST);
        headers.set("x-forwarded-for", joined(headers.getAll("x-forwarded-for"), address));
        headers.set("x-forwarded-proto", scheme);
        String element = "for=" + (address.indexOf(':') < 0 ? address : "\"[" + address + "]\"") + ";proto=" + scheme;
        if (host != null) {
            headers.set("x-forwarded-host", host);
            // Which has nothing to escape, or the request would have been refused.
            element += ";host=\"" + host + "\"";
        }
        headers.set("forwarded", joined(headers.getAll("forwarded"), element));
    }

    private static String joined(List<String> before, String next) {
        return before.isEmpty() ? next : String.join(", ", before) + ", " + next;
    }

    private static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "unknown";
    }

    private Forwarding() {}
}
