// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One server, or the master that Sentinel names: all questions of a trip go in one call of the script. */
final class LettuceCommands extends LettuceTrips {

    private static final System.Logger LOG = System.getLogger(RedisStore.class.getName());

    private final RedisClient client;
    private final RedisOptions options;
    private final AtomicBoolean replacing = new AtomicBoolean();
    private volatile StatefulRedisConnection<byte[], byte[]> connection;

    LettuceCommands(RedisClient client, RedisOptions options, Script script) {
        super(options.timeout(), script);
        this.client = client;
        this.options = options;
        this.connection = connecting(() -> client.connect(ByteArrayCodec.INSTANCE));
        connection.addListener(this);
    }

    @Override
    StatefulRedisConnection<byte[], byte[]> connection() {
        return connection;
    }

    @Override
    RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    /** A connection into the void is never lost by itself, so another one takes its place, as soon as there is one. */
    @Override
    void doubt() {
        if (replacing.compareAndSet(false, true)) {
            Thread thread = new Thread(this::replace, "semel-redis-reconnect");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void replace() {
        try {
            StatefulRedisConnection<byte[], byte[]> doubted = connection;
            StatefulRedisConnection<byte[], byte[]> fresh = client.connect(ByteArrayCodec.INSTANCE);
            fresh.addListener(this);
            connection = fresh;
            // Closing fails what is under way on it; as a loss it would also fail what is under way on the fresh one.
            doubted.removeListener(this);
            doubted.close();
            if (isClosed()) {
                fresh.close();
            }
        } catch (RedisException | IllegalStateException e) {
            LOG.log(System.Logger.Level.WARNING, "Redis did not answer in time, and cannot be connected to again.", e);
        } finally {
            replacing.set(false);
        }
    }

    @Override
    public boolean isOneTrip() {
        return true;
    }

    @Override
    public List<Reply> run(List<Ask> asks) {
        List<Object> answer = call(Ask.names(asks), Ask.arguments(asks));
        confirm();
        return Reply.all(answer);
    }

    private List<Object> call(byte[][] names, byte[][] arguments) {
        try {
            return await("run the script", evalsha(names, arguments));
        } catch (RedisNoScriptException flushed) {
            return await("run the script", eval(names, arguments));
        }
    }

    /** Waits until enough replicas have everything that was written on this connection. */
    private void confirm() {
        if (options.confirmations() == 0) {
            return;
        }
        long have = await(
                "wait for replicas",
                send(() -> connection.async().waitForReplication(options.confirmations(), options.confirmedWithin())));
        if (have < options.confirmations()) {
            throw Failures.unconfirmed(have, options.confirmations());
        }
    }

    @Override
    public Slice scan(byte @Nullable [] pattern, @Nullable String cursor, int about) {
        return scan(commands(), pattern, cursor == null ? "0" : cursor, about);
    }

    @Override
    public long size() {
        return await("count names", send(() -> commands().dbsize()));
    }

    @Override
    public List<Map<String, String>> infos() {
        return List.of(Commands.info(
                await("ask for INFO", send(() -> connection.async().info()))));
    }

    @Override
    public String setting(String name) {
        Map<String, String> settings =
                await("read the setting " + name, send(() -> connection.async().configGet(name)));
        return settings.getOrDefault(name, "");
    }
}
