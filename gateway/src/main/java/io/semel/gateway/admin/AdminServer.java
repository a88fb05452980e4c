// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.semel.gateway.admin.api.ApiResponse;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.config.Address;
import io.semel.gateway.config.AdminSettings;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.net.PlainHttpDetector;
import io.semel.http.Answer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The admin port: health and metrics for machines, a console and JSON for operators; for this machine alone, or with a token. */
public final class AdminServer implements AutoCloseable {

    private static final Answer PLAIN = Answer.of(
                    400,
                    ApiResponse.error(400, "This port requires HTTPS; use an https:// address.")
                            .body()
                            .toString()
                            .getBytes(StandardCharsets.US_ASCII))
            .with("Content-Type", "application/json")
            .with("Cache-Control", "no-store");
    private static final int MOST_READ = 8 << 10;
    private static final int THREADS = 16;
    private static final int MOST_QUEUED = 1000;
    private static final Duration REQUEST_TIME = Duration.ofSeconds(30);

    private final EventLoopGroup loop;
    private final ThreadPoolExecutor threads;
    private final Channel server;

    private AdminServer(EventLoopGroup loop, ThreadPoolExecutor threads, Channel server) {
        this.loop = loop;
        this.threads = threads;
        this.server = server;
    }

    /** In the clear, with one token or none. */
    public static AdminServer start(Address address, @Nullable String token, Console console) {
        return start(new AdminSettings(address, token, null, TlsFiles.NONE, null), console);
    }

    public static AdminServer start(AdminSettings settings, Console console) {
        return start(settings, console, REQUEST_TIME);
    }

    static AdminServer start(AdminSettings settings, Console console, Duration requestTime) {
        settings.check();
        return start(
                settings.address(), new AdminEndpoints(console, settings, false), tls(settings.tls()), requestTime);
    }

    /** A port that serves health alone, without a token. */
    public static AdminServer startHealth(Address address, AdminSettings settings, Console console) {
        return start(address, new AdminEndpoints(console, settings, true), null, REQUEST_TIME);
    }

    private static AdminServer start(
            Address address, AdminEndpoints reception, @Nullable SslContext tls, Duration requestTime) {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("semel-admin-io", true), NioIoHandler.newFactory());
        ThreadPoolExecutor threads = threads();
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                // A head that is not whole keeps the buffer that it came in.
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(64, 1024, MOST_READ))
                .childHandler(connections(reception, threads, tls, requestTime))
                .bind(address.socket())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close(loop, threads);
            throw new ConfigError(
                    "The admin port cannot be opened at " + address + ": " + bound.cause(), bound.cause());
        }
        return new AdminServer(loop, threads, bound.channel());
    }

    private static ChannelInitializer<SocketChannel> connections(
            AdminEndpoints reception, ThreadPoolExecutor threads, @Nullable SslContext tls, Duration requestTime) {
        AdminBudget visitors = new AdminBudget();
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                if (tls != null) {
                    channel.pipeline().addLast(new PlainHttpDetector(PLAIN));
                    channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                }
                channel.pipeline()
                        .addLast(new HttpServerCodec(new HttpDecoderConfig()
                                .setHeadersFactory(BoundedHeaders.FACTORY)
                                .setTrailersFactory(BoundedHeaders.FACTORY)))
                        .addLast(new AdminConnection(reception, threads, visitors, requestTime));
            }
        };
    }

    private static ThreadPoolExecutor threads() {
        return new ThreadPoolExecutor(
                THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_QUEUED), task -> {
                    Thread thread = new Thread(task, "semel-admin");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    private static @Nullable SslContext tls(TlsFiles files) {
        Path certificate = files.certificate();
        Path key = files.key();
        if (certificate == null || key == null) {
            return null;
        }
        try {
            return SslContextBuilder.forServer(certificate.toFile(), key.toFile())
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
        } catch (IllegalArgumentException | SSLException e) {
            throw new ConfigError("adminTls cannot be set up with " + certificate + ": " + e.getMessage(), e);
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        close(loop, threads);
    }

    private static void close(EventLoopGroup loop, ThreadPoolExecutor threads) {
        threads.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
