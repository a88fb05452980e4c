// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

import io.netty.handler.ssl.SslContext;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.config.yaml.ConfigError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * TLS whose files are read again when they have changed, so that a renewed certificate needs no restart: connections that are
 * opened afterwards use it. Files that cannot be read leave everything as it was, and are logged once.
 */
public final class ReloadingTls {

    public static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final System.Logger LOG = System.getLogger(ReloadingTls.class.getName());

    private final TlsFiles files;
    private final Function<TlsFiles, SslContext> reading;
    private final Executor background;
    private final AtomicLong lookedAt = new AtomicLong(System.nanoTime());
    private volatile List<byte[]> seen;
    private volatile SslContext context;

    private ReloadingTls(TlsFiles files, Function<TlsFiles, SslContext> reading) {
        this.files = files;
        this.reading = reading;
        this.background = ForkJoinPool.commonPool();
        this.context = reading.apply(files);
        this.seen = contents();
    }

    /** Null where there are no certificates, so that the port is plain HTTP. */
    public static @Nullable ReloadingTls server(TlsFiles files) {
        return files.isServer() ? new ReloadingTls(files, it -> Objects.requireNonNull(TlsContexts.server(it))) : null;
    }

    public static ReloadingTls client(TlsFiles files) {
        return new ReloadingTls(files, TlsContexts::client);
    }

    /** The context for new connections. Checks the files now and then, in the background, because event loops call this. */
    public SslContext current() {
        long last = lookedAt.get();
        long now = System.nanoTime();
        if (now - last > INTERVAL.toNanos() && lookedAt.compareAndSet(last, now)) {
            background.execute(this::reload);
        }
        return context;
    }

    private synchronized void reload() {
        List<byte[]> now = contents();
        boolean same = now.size() == seen.size();
        for (int i = 0; same && i < now.size(); i++) {
            same = Arrays.equals(now.get(i), seen.get(i));
        }
        if (same) {
            return;
        }
        seen = now;
        try {
            context = reading.apply(files);
            LOG.log(System.Logger.Level.INFO, "Reloaded the certificates in " + paths() + ".");
        } catch (ConfigError e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The changed certificates cannot be read; the old ones stay in use: " + e.getMessage());
        }
    }

    /** A file that is being replaced may be missing for a moment. */
    private List<byte[]> contents() {
        return paths().stream().map(ReloadingTls::content).toList();
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private List<Path> paths() {
        return Stream.of(files.certificate(), files.key(), files.trust())
                .filter(Objects::nonNull)
                .map(Path::toAbsolutePath)
                .toList();
    }
}
