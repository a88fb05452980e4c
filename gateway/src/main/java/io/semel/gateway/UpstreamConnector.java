// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Upstream;
import org.jspecify.annotations.Nullable;

/** Opens connections to upstreams, in the event loop of whoever wants one. */
final class UpstreamConnector {

    private final Transport transport;
    private final Limits limits;
    private final @Nullable ReloadingTls tls;

    UpstreamConnector(Transport transport, Limits limits, @Nullable ReloadingTls tls) {
        this.transport = transport;
        this.limits = limits;
        this.tls = tls;
    }

    /** The lane is told when the connection is closed, or cannot be opened. */
    void connect(EventLoop loop, UpstreamLane lane, Waiting waiting) {
        Upstream upstream = lane.upstream();
        UpstreamLink link = new UpstreamLink(lane, limits);
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
                .addListener((ChannelFutureListener) connecting -> {
                    if (connecting.isSuccess()) {
                        connecting.channel().closeFuture().addListener(closed -> lane.closed(link));
                        connected(link, waiting);
                    } else {
                        failed(loop, () -> {
                            lane.closed(link);
                            waiting.unreachable(connecting.cause());
                        });
                    }
                });
    }

    private void fill(Channel channel, Upstream upstream, UpstreamLink link) {
        if (upstream.tls() && tls != null) {
            SslHandler ssl = tls.current().newHandler(channel.alloc(), upstream.host(), upstream.port());
            ssl.setHandshakeTimeoutMillis(limits.connectTime().toMillis());
            channel.pipeline().addLast(ssl);
        }
        channel.pipeline().addLast(link.codec());
        channel.pipeline().addLast(link);
    }

    /** A channel that could not even be made, for want of file descriptors, fails in another thread. */
    private static void failed(EventLoop loop, Runnable tell) {
        if (loop.inEventLoop()) {
            tell.run();
        } else {
            loop.execute(tell);
        }
    }

    private static void connected(UpstreamLink link, Waiting waiting) {
        SslHandler ssl = link.channel().pipeline().get(SslHandler.class);
        if (ssl == null) {
            link.giveTo(waiting);
            return;
        }
        GenericFutureListener<Future<Channel>> shaken = handshake -> {
            if (handshake.isSuccess()) {
                link.giveTo(waiting);
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
