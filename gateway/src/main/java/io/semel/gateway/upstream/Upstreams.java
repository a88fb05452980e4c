// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import io.semel.gateway.budget.MemoryBudget;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Upstream;
import io.semel.gateway.net.ReloadingTls;
import io.semel.gateway.net.Transport;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Connections to all upstreams: one pool for each event loop and upstream, used by that loop alone, so that nothing is locked. */
public final class Upstreams {

    private final Transport transport;
    private final Limits limits;
    private final @Nullable ReloadingTls tls;
    private final MemoryBudget budget;
    private final int mostOfLoop;
    private final FastThreadLocal<Map<Upstream, UpstreamPool>> pools = new FastThreadLocal<>() {
        @Override
        protected Map<Upstream, UpstreamPool> initialValue() {
            return new HashMap<>();
        }
    };

    /**
     * No connection is opened yet.
     *
     * @param tls null where no upstream has any
     */
    public Upstreams(Transport transport, Limits limits, @Nullable ReloadingTls tls, MemoryBudget budget, int loops) {
        this.transport = transport;
        this.limits = limits;
        this.tls = tls;
        this.budget = budget;
        this.mostOfLoop = Math.max(1, limits.upstreamConnections() / loops);
    }

    /** Hands over an idle connection if one is still good, else a new one, or the next that becomes free. */
    public void acquire(EventLoop loop, Upstream upstream, UpstreamExchange exchange) {
        pool(loop, upstream).acquire(exchange);
    }

    /** Hands over a new connection. */
    public void connect(EventLoop loop, Upstream upstream, UpstreamExchange exchange) {
        pool(loop, upstream).connect(exchange);
    }

    private UpstreamPool pool(EventLoop loop, Upstream upstream) {
        return pools.get()
                .computeIfAbsent(upstream, to -> new UpstreamPool(this, limits, budget, mostOfLoop, loop, to));
    }

    /**
     * The pool is told when the connection is closed, or cannot be opened.
     *
     * @param client that it counts for until the pool has it back
     */
    void open(EventLoop loop, UpstreamPool pool, Object client, UpstreamExchange exchange) {
        Upstream upstream = pool.upstream();
        UpstreamConnection link = new UpstreamConnection(pool, limits, client);
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
                        connecting.channel().closeFuture().addListener(closed -> pool.closed(link));
                        connected(link, exchange);
                    } else {
                        failed(loop, () -> {
                            pool.closed(link);
                            exchange.unreachable(connecting.cause());
                        });
                    }
                });
    }

    private void fill(Channel channel, Upstream upstream, UpstreamConnection link) {
        if (upstream.tls() && tls != null) {
            SslHandler ssl = tls.current().newHandler(channel.alloc(), upstream.host(), upstream.port());
            ssl.setHandshakeTimeoutMillis(limits.connectTime().toMillis());
            channel.pipeline().addLast(ssl);
        }
        channel.pipeline().addLast(link.codec());
        channel.pipeline().addLast(link);
    }

    /** A channel that could not even be created, for want of file descriptors, fails in another thread. */
    private static void failed(EventLoop loop, Runnable tell) {
        if (loop.inEventLoop()) {
            tell.run();
        } else {
            loop.execute(tell);
        }
    }

    private static void connected(UpstreamConnection link, UpstreamExchange exchange) {
        SslHandler ssl = link.channel().pipeline().get(SslHandler.class);
        if (ssl == null) {
            link.giveTo(exchange);
            return;
        }
        GenericFutureListener<Future<Channel>> shaken = handshake -> {
            if (handshake.isSuccess()) {
                link.giveTo(exchange);
            } else {
                link.close();
                exchange.unreachable(handshake.cause());
            }
        };
        ssl.handshakeFuture().addListener(shaken);
    }
}
