// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What travels over a Lettuce connection: awaited for a bounded time, and never sent twice.
 *
 * <p>After a reconnect Lettuce would send again what had no answer yet. A settle that had applied would then be told that it
 * did not; so what is on its way when a connection is lost fails instead.
 */
abstract class LettuceTrips implements Commands, RedisConnectionStateListener {

    private final Duration timeout;
    private final Script script;
    /** What has no answer yet, with the number of losses before it was sent. */
    private final Map<RedisFuture<?>, Long> underWay = new ConcurrentHashMap<>();

    private final AtomicLong losses = new AtomicLong();
    private final ConnectionState state;
    private volatile boolean closed;

    LettuceTrips(Duration timeout, Script script) {
        this.timeout = timeout;
        this.script = script;
        this.state = new ConnectionState(timeout);
    }

    /** The connection of the moment. */
    abstract StatefulConnection<byte[], byte[]> connection();

    abstract RedisClusterAsyncCommands<byte[], byte[]> commands();

    /** Whether what is sent now goes out; Lettuce would keep it back for a connection that may never come. */
    boolean isUp() {
        return connection().isOpen();
    }

    /** Called when there was no answer in time. */
    abstract void doubt();

    static <C> C connecting(Supplier<C> connect) {
        try {
            return connect.get();
        } catch (RedisException e) {
            throw Failures.unconnected(e);
        }
    }

    Duration timeout() {
        return timeout;
    }

    final RedisFuture<List<Object>> evalsha(byte[][] names, byte[][] arguments) {
        return send(() -> commands().evalsha(script.digest(), ScriptOutputType.MULTI, names, arguments));
    }

    final RedisFuture<List<Object>> eval(byte[][] names, byte[][] arguments) {
        return send(() -> commands().eval(script.source(), ScriptOutputType.MULTI, names, arguments));
    }

    final <T> RedisFuture<T> send(Supplier<RedisFuture<T>> command) {
        checkOpen();
        state.awaitUp(this::isUp);
        long before = losses.get();
        RedisFuture<T> future = command.get();
        underWay.put(future, before);
        if (losses.get() != before) {
            lose(future);
        }
        return future;
    }

    final void checkOpen() {
        if (closed) {
            throw Failures.closed();
        }
    }

    final boolean isClosed() {
        return closed;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
        long now = losses.incrementAndGet();
        state.lost();
        underWay.forEach((future, before) -> {
            if (before < now) {
                lose(future);
            }
        });
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> found, SocketAddress address) {
        state.changed();
    }

    private static void lose(RedisFuture<?> future) {
        future.toCompletableFuture().completeExceptionally(new RedisException("The connection was lost."));
    }

    /** Without heeding interrupts: others may be on the same trip, and what is on its way cannot be called back. */
    final <T> T await(String what, RedisFuture<T> future) {
        boolean interrupted = false;
        long end = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                try {
                    return future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            future.cancel(true);
            doubt();
            throw Failures.unknown(what + ", for " + timeout, e);
        } catch (CancellationException e) {
            throw Failures.unknown(what, e);
        } catch (ExecutionException e) {
            throw failure(what, e.getCause() == null ? e : e.getCause());
        } finally {
            underWay.remove(future);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** How many have no answer yet. */
    final int underWay() {
        return underWay.size();
    }

    /** For what was sent together with something that failed. */
    final void giveUp(RedisFuture<?> future) {
        underWay.remove(future);
        future.cancel(true);
    }

    private static RuntimeException failure(String what, Throwable cause) {
        if (cause instanceof RedisNoScriptException flushed) {
            return flushed;
        }
        if (cause instanceof RedisCommandExecutionException said && said.getMessage() != null) {
            return Failures.refused(what, said.getMessage(), said);
        }
        return cause instanceof RedisConnectionException ? Failures.unconnected(cause) : Failures.unknown(what, cause);
    }

    @Override
    public final Instant time() {
        return Micros.instant(await("tell the time", send(() -> commands().time())));
    }

    final Slice scan(
            RedisClusterAsyncCommands<byte[], byte[]> server, byte @Nullable [] pattern, String cursor, int about) {
        ScanArgs args = ScanArgs.Builder.limit(about);
        if (pattern != null) {
            args.match(pattern);
        }
        KeyScanCursor<byte[]> found = await("list slots", send(() -> server.scan(ScanCursor.of(cursor), args)));
        return new Slice(found.getKeys(), found.isFinished() ? null : found.getCursor());
    }

    @Override
    public final void close() {
        closed = true;
        connection().close();
    }
}
