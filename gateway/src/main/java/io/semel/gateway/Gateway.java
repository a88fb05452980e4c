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
import io.semel.gateway.access.AccessLog;
import io.semel.gateway.callers.Callers;
import io.semel.gateway.config.AccessLogSettings;
import io.semel.gateway.config.ConfigError;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.Settings;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpSessions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A reverse proxy that makes retries safe: it listens from its start until it is closed. */
public final class Gateway implements AutoCloseable {

    private static final int BACKLOG = 4096;
    private static final long MOST_UNSENT = 128 << 10;
    private static final long LOOK_AGAIN_MILLIS = 20;

    private final Settings settings;
    private final Site site;
    private final @Nullable AccessLog accessLog;
    private final Transport transport;
    private final EventLoopGroup loops;
    private final Channel server;

    private Gateway(
            Settings settings,
            Site site,
            @Nullable AccessLog accessLog,
            Transport transport,
            EventLoopGroup loops,
            Channel server) {
        this.settings = settings;
        this.site = site;
        this.accessLog = accessLog;
        this.transport = transport;
        this.loops = loops;
        this.server = server;
    }

    /** Reads the certificates and keys that the settings name, as a start does; throws where one cannot be read. */
    public static void check(Settings settings) {
        Tls.server(settings.clients());
        Tls.client(settings.upstreams());
        Callers.of(settings);
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
        UpstreamConnector connector = new UpstreamConnector(
                transport, settings.limits(), tls ? ReloadingTls.client(settings.upstreams()) : null);
        Callers callers = Callers.of(settings);
        boolean blocks = callers.blocks()
                || settings.routes().stream().anyMatch(route -> route.asksAboutSilence() || route.parsesBodies());
        Workers workers = quick && !blocks
                ? Workers.direct()
                : Workers.pool(settings.limits().storeThreads());
        int cores = Runtime.getRuntime().availableProcessors();
        AccessLogSettings logged = settings.accessLog();
        AccessLog log = logged == null ? null : logged.open();
        Site site = new Site(settings, routes(settings, engine, sessions), workers, callers, connector, log, cores);
        EventLoopGroup loops = transport.loops(cores);
        try {
            Channel server = bind(settings, transport, loops, new ClientConnection(site, clients));
            return new Gateway(settings, site, log, transport, loops, server);
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
            Settings settings, Transport transport, EventLoopGroup loops, ClientConnection connection) {
        ServerBootstrap server = new ServerBootstrap();
        if (transport.isEpoll()) {
            // What a client does not take stays here, where it is counted, and not in the kernel, which takes
            // megabytes.
            server.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, MOST_UNSENT);
        }
        ChannelFuture bound = server.group(loops)
                .channel(transport.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                // Others have their turn after each read, and what one read can bring is bounded.
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
        return site.traffic;
    }

    /** Lines of the access log that were not written. */
    public long accessLinesDropped() {
        return accessLog == null ? 0 : accessLog.dropped();
    }

    /** Bytes of requests and answers that are held in memory, of {@code limits.bufferBytes}. */
    public long buffered() {
        return site.budget.used();
    }

    public int connections() {
        return site.connections.get();
    }

    /** Bytes of bodies and answers that it holds for clients and services. */
    long held() {
        return site.budget.used();
    }

    public String transport() {
        return transport.name();
    }

    /** Whether it takes new requests. */
    public boolean isReady() {
        return server.isOpen() && !site.draining;
    }

    /** Takes no new connections and waits for what is under way; false if that took too long. */
    public boolean drain(Duration most) throws InterruptedException {
        site.draining = true;
        server.close().syncUninterruptibly();
        // Sends GOAWAY, and closes when the streams that are open have ended.
        site.streaming.close();
        site.plain.forEach(connection -> connection.pipeline().fireUserEventTriggered(Draining.BEGUN));
        long end = System.nanoTime() + most.toNanos();
        while (site.traffic.exchanges() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
        return site.traffic.exchanges() == 0;
    }

    @Override
    public void close() {
        site.draining = true;
        server.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        site.workers.close();
        if (accessLog != null) {
            accessLog.close();
        }
    }
}
