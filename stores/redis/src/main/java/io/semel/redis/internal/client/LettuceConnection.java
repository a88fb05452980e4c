// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

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
import io.semel.redis.internal.script.Micros;
import io.semel.redis.internal.script.RedisFailures;
import io.semel.redis.internal.script.Script;
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
 * Commands on a Lettuce connection: each is awaited for a bounded time and never sent twice.
 *
 * <p>After a reconnect Lettuce would resend unanswered commands. A settle that had applied would then be told that it
 * had not; so commands in flight fail when the connection is lost.
 */
public abstract class LettuceConnection implements ServerCommands, RedisConnectionStateListener {

    private final Duration timeout;
    private final Script script;
    /** The unanswered commands, with the number of connection losses before each was sent. */
    private final Map<RedisFuture<?>, Long> inFlight = new ConcurrentHashMap<>();

    private final AtomicLong losses = new AtomicLong();
    private final ConnectionState state;
    private volatile boolean closed;

    LettuceConnection(Duration timeout, Script script) {
        this.timeout = timeout;
        this.script = script;
        this.state = new ConnectionState(timeout);
    }

    /** The current connection. */
    abstract StatefulConnection<byte[], byte[]> connection();

    public abstract RedisClusterAsyncCommands<byte[], byte[]> commands();

    /** Whether a command would be sent now; Lettuce would queue it for a connection that may never come. */
    boolean isUp() {
        return connection().isOpen();
    }

    /** Called after a timeout. */
    abstract void onTimeout();

    static <C> C connecting(Supplier<C> connect) {
        try {
            return connect.get();
        } catch (RedisException e) {
            throw RedisFailures.unconnected(e);
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

    public final <T> RedisFuture<T> send(Supplier<RedisFuture<T>> command) {
        checkOpen();
        state.awaitUp(this::isUp);
        long before = losses.get();
        RedisFuture<T> future = command.get();
        inFlight.put(future, before);
        if (losses.get() != before) {
            lose(future);
        }
        return future;
    }

    final void checkOpen() {
        if (closed) {
            throw RedisFailures.closed();
        }
    }

    final boolean isClosed() {
        return closed;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
        long now = losses.incrementAndGet();
        state.lost();
        inFlight.forEach((future, before) -> {
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

    /** Ignores interrupts: other requests may be in the same batch, and a command in flight cannot be recalled. */
    public final <T> T await(String what, RedisFuture<T> future) {
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
            onTimeout();
            throw RedisFailures.unknown(what + ", for " + timeout, e);
        } catch (CancellationException e) {
            throw RedisFailures.unknown(what, e);
        } catch (ExecutionException e) {
            throw failure(what, e.getCause() == null ? e : e.getCause());
        } finally {
            inFlight.remove(future);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The number of unanswered commands. */
    public final int inFlight() {
        return inFlight.size();
    }

    /** For commands sent together with one that failed. */
    public final void giveUp(RedisFuture<?> future) {
        inFlight.remove(future);
        future.cancel(true);
    }

    private static RuntimeException failure(String what, Throwable cause) {
        if (cause instanceof RedisNoScriptException flushed) {
            return flushed;
        }
        if (cause instanceof RedisCommandExecutionException said && said.getMessage() != null) {
            return RedisFailures.refused(what, said.getMessage(), said);
        }
        return cause instanceof RedisConnectionException
                ? RedisFailures.unconnected(cause)
                : RedisFailures.unknown(what, cause);
    }

    @Override
    public final Instant time() {
        return Micros.instant(await("read the time", send(() -> commands().time())));
    }

    final ScanPage scan(
            RedisClusterAsyncCommands<byte[], byte[]> server, byte @Nullable [] pattern, String cursor, int about) {
        ScanArgs args = ScanArgs.Builder.limit(about);
        if (pattern != null) {
            args.match(pattern);
        }
        KeyScanCursor<byte[]> found = await("list slots", send(() -> server.scan(ScanCursor.of(cursor), args)));
        return new ScanPage(found.getKeys(), found.isFinished() ? null : found.getCursor());
    }

    @Override
    public final void close() {
        closed = true;
        connection().close();
    }
}
