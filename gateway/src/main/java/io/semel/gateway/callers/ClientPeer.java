// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Address and certificates of the peer of a client's connection, even after it is closed. */
public final class ClientPeer {

    /** Kept because a closed connection has no TLS session any more, while its requests may still be under way. */
    private static final AttributeKey<List<X509Certificate>> VERIFIED =
            AttributeKey.valueOf(ClientPeer.class, "verified");

    /** Keeps the verified certificates after the TLS handshake. */
    public static void secured(Channel connection) {
        SslHandler ssl = connection.pipeline().get(SslHandler.class);
        connection.attr(VERIFIED).set(ssl == null ? List.of() : verified(ssl));
    }

    private static List<X509Certificate> verified(SslHandler ssl) {
        try {
            return Stream.of(ssl.engine().getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException e) {
            // It showed none; whether it has to is for the settings to say.
            return List.of();
        }
    }

    /** The connection of a channel, which may be one stream of many. */
    public static Channel connection(Channel channel) {
        Channel parent = channel.parent();
        return parent == null || parent instanceof ServerChannel ? channel : parent;
    }

    public static SocketAddress address(Channel channel) {
        return connection(channel).remoteAddress();
    }

    /** Whether it came by TLS. */
    public static boolean isSecure(Channel channel) {
        return connection(channel).attr(VERIFIED).get() != null;
    }

    /** The certificates that it showed and that were verified, its own first; none if it showed none. */
    public static List<X509Certificate> certificates(Channel channel) {
        List<X509Certificate> verified = connection(channel).attr(VERIFIED).get();
        return verified == null ? List.of() : verified;
    }

    private ClientPeer() {}
}
