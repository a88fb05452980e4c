// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.semel.redis.internal.script.RedisFailures;
import io.semel.redis.internal.script.Script;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Commands to one server, or to the master that Sentinel names: a batch of requests is one call of the script. */
public final class LettuceCommands extends LettuceConnection {

    private static final System.Logger LOG = System.getLogger("io.semel.redis.RedisStore");

    private final RedisClient client;
    private final RedisSettings settings;
    private final AtomicBoolean replacing = new AtomicBoolean();
    private volatile StatefulRedisConnection<byte[], byte[]> connection;

    public LettuceCommands(RedisClient client, RedisSettings settings, Script script) {
        super(settings.timeout(), script);
        this.client = client;
        this.settings = settings;
        this.connection = connecting(() -> client.connect(ByteArrayCodec.INSTANCE));
        connection.addListener(this);
    }

    @Override
    StatefulRedisConnection<byte[], byte[]> connection() {
        return connection;
    }

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    /** A silently dead connection is never reported as lost, so it is replaced as soon as another one can be opened. */
    @Override
    void onTimeout() {
        if (replacing.compareAndSet(false, true)) {
            Thread thread = new Thread(this::replace, "semel-redis-reconnect");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void replace() {
        try {
            StatefulRedisConnection<byte[], byte[]> silent = connection;
            StatefulRedisConnection<byte[], byte[]> fresh = client.connect(ByteArrayCodec.INSTANCE);
            fresh.addListener(this);
            connection = fresh;
            // Closing fails the commands in flight on it; treated as a loss, it would also fail those on the fresh
            // connection.
            silent.removeListener(this);
            silent.close();
            if (isClosed()) {
                fresh.close();
            }
        } catch (RedisException | IllegalStateException e) {
            LOG.log(System.Logger.Level.WARNING, "Redis did not answer in time, and reconnecting failed.", e);
        } finally {
            replacing.set(false);
        }
    }

    @Override
    public boolean carriesBatches() {
        return true;
    }

    @Override
    public List<ScriptReply> run(List<ScriptRequest> requests) {
        List<Object> answer = call(ScriptRequest.names(requests), ScriptRequest.arguments(requests));
        confirm();
        return ScriptReply.all(answer);
    }

    private List<Object> call(byte[][] names, byte[][] arguments) {
        try {
            return await("run the script", evalsha(names, arguments));
        } catch (RedisNoScriptException flushed) {
            return await("run the script", eval(names, arguments));
        }
    }

    /** Waits until enough replicas have all writes of this connection. */
    private void confirm() {
        if (settings.confirmations() == 0) {
            return;
        }
        long have = await(
                "wait for replicas",
                send(() ->
                        connection.async().waitForReplication(settings.confirmations(), settings.confirmedWithin())));
        if (have < settings.confirmations()) {
            throw RedisFailures.unconfirmed(have, settings.confirmations());
        }
    }

    @Override
    public ScanPage scan(byte @Nullable [] pattern, @Nullable String cursor, int about) {
        return scan(commands(), pattern, cursor == null ? "0" : cursor, about);
    }

    @Override
    public long size() {
        return await("count names", send(() -> commands().dbsize()));
    }

    @Override
    public List<Map<String, String>> infos() {
        return List.of(ServerCommands.info(
                await("read INFO", send(() -> connection.async().info()))));
    }

    @Override
    public String setting(String name) {
        Map<String, String> settings =
                await("read the setting " + name, send(() -> connection.async().configGet(name)));
        return settings.getOrDefault(name, "");
    }
}
