// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Upstream;
import org.jspecify.annotations.Nullable;

/** Opens connections to upstreams, in the event loop of whoever wants one. */
final class UpstreamConnector {

    private static final int MOST_HEADER = 64 << 10;
    private static final int CHUNK = 64 << 10;

    private final Transport transport;
    private final Limits limits;
    private final @Nullable SslContext tls;

    UpstreamConnector(Transport transport, Limits limits, @Nullable SslContext tls) {
        this.transport = transport;
        this.limits = limits;
        this.tls = tls;
    }

    void connect(EventLoop loop, Upstream upstream, UpstreamPool pool, Waiting waiting) {
        UpstreamLink link = new UpstreamLink(upstream, pool, limits);
        new Bootstrap()
                .group(loop)
                .channel(transport.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        limits.connectTime().toMillis())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        fill(channel, upstream, link);
                    }
                })
                .connect(upstream.host(), upstream.port())
                .addListener(connected -> connected(connected, link, waiting));
    }

    private void fill(Channel channel, Upstream upstream, UpstreamLink link) {
        if (upstream.tls() && tls != null) {
            SslHandler ssl = tls.newHandler(channel.alloc(), upstream.host(), upstream.port());
            ssl.setHandshakeTimeoutMillis(limits.connectTime().toMillis());
            channel.pipeline().addLast(ssl);
        }
        HttpDecoderConfig strict = new HttpDecoderConfig()
                .setMaxInitialLineLength(MOST_HEADER)
                .setMaxHeaderSize(MOST_HEADER)
                .setMaxChunkSize(CHUNK);
        channel.pipeline().addLast("http", new HttpClientCodec(strict, false, false));
        channel.pipeline().addLast("link", link);
    }

    private static void connected(Future<?> connected, UpstreamLink link, Waiting waiting) {
        if (!connected.isSuccess()) {
            waiting.unreachable(connected.cause());
            return;
        }
        SslHandler ssl = link.channel().pipeline().get(SslHandler.class);
        if (ssl == null) {
            waiting.connected(link);
            return;
        }
        GenericFutureListener<Future<Channel>> shaken = handshake -> {
            if (handshake.isSuccess()) {
                waiting.connected(link);
            } else {
                link.close();
                waiting.unreachable(handshake.cause());
            }
        };
        ssl.handshakeFuture().addListener(shaken);
    }

    /** Whoever wants a connection. */
    interface Waiting {

        void connected(UpstreamLink link);

        /** Nothing was sent. */
        void unreachable(Throwable cause);
    }
}
