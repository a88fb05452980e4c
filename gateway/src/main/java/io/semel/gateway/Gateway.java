// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.semel.Engine;
import io.semel.gateway.callers.CallerResolver;
import io.semel.gateway.config.AccessLogSettings;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.exchange.GatewayContext;
import io.semel.gateway.exchange.Route;
import io.semel.gateway.exchange.StoreExecutor;
import io.semel.gateway.log.AccessLog;
import io.semel.gateway.net.DrainEvent;
import io.semel.gateway.net.ReloadingTls;
import io.semel.gateway.net.TlsContexts;
import io.semel.gateway.net.Transport;
import io.semel.gateway.traffic.Traffic;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpSessions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A running gateway: a reverse proxy that makes retries safe, from its start until it is closed. */
public final class Gateway implements AutoCloseable {

    private static final int BACKLOG = 4096;
    private static final long MOST_UNSENT = 128 << 10;
    private static final long LOOK_AGAIN_MILLIS = 20;

    private final Settings settings;
    private final GatewayContext context;
    private final @Nullable AccessLog accessLog;
    private final Transport transport;
    private final EventLoopGroup loops;
    private final Channel server;

    private Gateway(
            Settings settings,
            GatewayContext context,
            @Nullable AccessLog accessLog,
            Transport transport,
            EventLoopGroup loops,
            Channel server) {
        this.settings = settings;
        this.context = context;
        this.accessLog = accessLog;
        this.transport = transport;
        this.loops = loops;
        this.server = server;
    }

    /** Reads the certificates and keys that the settings name, as a start does; throws where one cannot be read. */
    public static void check(Settings settings) {
        TlsContexts.server(settings.clients());
        TlsContexts.client(settings.upstreams());
        CallerResolver.of(settings);
    }

    /** A gateway without sessions. */
    public static Gateway start(Settings settings, Engine engine, boolean quick) {
        return start(settings, engine, null, quick);
    }

    /**
     * Starts to listen.
     *
     * @param sessions null where the settings have none
     * @param quick whether the store answers from memory, so that event loops may ask it
     */
    public static Gateway start(Settings settings, Engine engine, @Nullable HttpSessions sessions, boolean quick) {
        Transport transport = Transport.best();
        ReloadingTls clients = ReloadingTls.server(settings.clients());
        boolean tls =
                settings.routes().stream().anyMatch(route -> route.upstream().tls() || route.authorize() != null);
        ReloadingTls upstreamTls = tls ? ReloadingTls.client(settings.upstreams()) : null;
        CallerResolver callers = CallerResolver.of(settings);
        boolean blocks = callers.blocks()
                || settings.routes().stream().anyMatch(route -> route.asksAboutSilence() || route.parsesBodies());
        StoreExecutor workers = quick && !blocks
                ? StoreExecutor.direct()
                : StoreExecutor.pool(
                        settings.limits().storeThreads(), settings.limits().bufferBytes() / 4);
        int cores = Runtime.getRuntime().availableProcessors();
        AccessLogSettings logged = settings.accessLog();
        AccessLog log = logged == null ? null : logged.open();
        GatewayContext context = new GatewayContext(
                settings, routes(settings, engine, sessions), workers, callers, transport, upstreamTls, log, cores);
        EventLoopGroup loops = transport.loops(cores);
        try {
            Channel server = bind(settings, transport, loops, new ClientChannelInitializer(context, clients));
            return new Gateway(settings, context, log, transport, loops, server);
        } catch (RuntimeException e) {
            loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            if (log != null) {
                log.close();
            }
            throw e;
        }
    }

    private static List<Route> routes(Settings settings, Engine engine, @Nullable HttpSessions sessions) {
        return settings.routes().stream()
                .map(route -> new Route(route, door(route, engine, sessions)))
                .toList();
    }

    private static HttpIdempotency door(RouteSettings route, Engine engine, @Nullable HttpSessions sessions) {
        HttpIdempotency door = HttpIdempotency.on(engine.with(route.operation()), route.rules());
        return sessions == null ? door : door.sessions(sessions);
    }

    private static Channel bind(
            Settings settings, Transport transport, EventLoopGroup loops, ClientChannelInitializer connection) {
        ServerBootstrap server = new ServerBootstrap();
        if (transport.isEpoll()) {
            // Unread bytes stay here, where they are charged, and not in the kernel, which would hold
            // megabytes.
            server.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, MOST_UNSENT);
        }
        ChannelFuture bound = server.group(loops)
                .channel(transport.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                // Other connections have their turn after each read, and one read is bounded.
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1))
                .childHandler(connection)
                .bind(settings.listen().socket())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new ConfigError(
                    "The gateway cannot listen at " + settings.listen() + " (" + bound.cause()
                            + "). Stop what has that port, or choose another with --listen.",
                    bound.cause());
        }
        return bound.channel();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    public Settings settings() {
        return settings;
    }

    public Traffic traffic() {
        return context.traffic;
    }

    /** Access log lines that were dropped. */
    public long accessLinesDropped() {
        return accessLog == null ? 0 : accessLog.dropped();
    }

    /** Bytes of requests and answers that are held in memory, of {@code limits.bufferBytes}. */
    public long buffered() {
        return context.budget.used();
    }

    public int connections() {
        return context.connections.get();
    }

    /** Bytes of bodies and answers that it holds for clients and services. */
    long held() {
        return context.budget.used();
    }

    public String transport() {
        return transport.name();
    }

    /** Whether it takes new requests. */
    public boolean isReady() {
        return server.isOpen() && !context.draining;
    }

    /** Stops accepting connections and waits for open requests; false if that took too long. */
    public boolean drain(Duration most) throws InterruptedException {
        context.draining = true;
        server.close().syncUninterruptibly();
        // Sends GOAWAY, and closes when the streams that are open have ended.
        context.streaming.close();
        context.plain.forEach(connection -> connection.pipeline().fireUserEventTriggered(DrainEvent.BEGUN));
        long end = System.nanoTime() + most.toNanos();
        while (context.traffic.exchanges() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
        return context.traffic.exchanges() == 0;
    }

    @Override
    public void close() {
        context.draining = true;
        server.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        context.store.close();
        if (accessLog != null) {
            accessLog.close();
        }
    }
}
