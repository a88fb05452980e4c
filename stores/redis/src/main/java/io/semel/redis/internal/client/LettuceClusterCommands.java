// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.semel.redis.internal.script.Script;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Commands to a cluster: each request is a call of its own, because its slot may be on any server; calls are pipelined.
 */
public final class LettuceClusterCommands extends LettuceConnection {

    private final StatefulRedisClusterConnection<byte[], byte[]> connection;
    private final Set<StatefulRedisConnection<byte[], byte[]>> watched =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    public LettuceClusterCommands(RedisClusterClient client, RedisSettings settings, Script script) {
        super(settings.timeout(), script);
        this.connection = connecting(() -> client.connect(ByteArrayCodec.INSTANCE));
    }

    @Override
    StatefulRedisClusterConnection<byte[], byte[]> connection() {
        return connection;
    }

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    /**
     * Each server has a connection of its own behind this one, and a request to an unreachable server fails by itself.
     */
    @Override
    boolean isUp() {
        return true;
    }

    /** The client's topology refresh finds out which servers exist and answer. */
    @Override
    void onTimeout() {}

    @Override
    public boolean carriesBatches() {
        return false;
    }

    @Override
    public List<ScriptReply> run(List<ScriptRequest> requests) {
        List<RedisFuture<List<Object>>> futures = new ArrayList<>(requests.size());
        try {
            for (ScriptRequest each : requests) {
                watch(each.name());
                futures.add(evalsha(new byte[][] {each.name()}, each.arguments()));
            }
            return answers(futures, requests);
        } finally {
            futures.forEach(this::giveUp);
        }
    }

    private List<ScriptReply> answers(List<RedisFuture<List<Object>>> futures, List<ScriptRequest> requests) {
        List<ScriptReply> replies = new ArrayList<>(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            List<Object> answer = answer(futures.get(i), requests.get(i));
            replies.add(new ScriptReply((Long) answer.get(0), answer.get(1)));
        }
        return replies;
    }

    /** Listens to the connection that Lettuce uses for this slot, which may come and go behind ours. */
    private void watch(byte[] name) {
        checkOpen();
        RedisClusterNode master = connection.getPartitions().getMasterBySlot(SlotHash.getSlot(name));
        if (master != null) {
            RedisURI uri = master.getUri();
            // If there is no connection, the request itself fails.
            CompletableFuture<Void> unused = connection
                    .getConnectionAsync(uri.getHost(), uri.getPort())
                    .thenAccept(server -> {
                        if (watched.add(server)) {
                            server.addListener(this);
                        }
                    });
        }
    }

    private List<Object> answer(RedisFuture<List<Object>> future, ScriptRequest request) {
        try {
            return await("run the script", future);
        } catch (RedisNoScriptException flushed) {
            return await("run the script", eval(new byte[][] {request.name()}, request.arguments()));
        }
    }

    /** Scans one server after the other; the cursor begins with the server's id. */
    @Override
    public ScanPage scan(byte @Nullable [] pattern, @Nullable String cursor, int about) {
        List<String> masters = masters();
        int dot = cursor == null ? -1 : cursor.indexOf('.');
        String master = cursor == null || dot < 0 ? masters.get(0) : cursor.substring(0, dot);
        int at = masters.indexOf(master);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "The cluster has changed since this cursor was given; start again without a cursor.");
        }
        String from = cursor == null || dot < 0 ? "0" : cursor.substring(dot + 1);
        ScanPage slice = scan(connection.getConnection(master).async(), pattern, from, about);
        if (slice.next() != null) {
            return new ScanPage(slice.names(), master + "." + slice.next());
        }
        return new ScanPage(slice.names(), at + 1 < masters.size() ? masters.get(at + 1) + ".0" : null);
    }

    private List<String> masters() {
        return connection.getPartitions().stream()
                .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM)
                        && !node.getSlots().isEmpty())
                .map(RedisClusterNode::getNodeId)
                .sorted()
                .toList();
    }

    @Override
    public long size() {
        return masters().stream()
                .map(connection::getConnection)
                .mapToLong(
                        server -> await("count names", send(() -> server.async().dbsize())))
                .sum();
    }

    @Override
    public List<Map<String, String>> infos() {
        return masters().stream()
                .map(connection::getConnection)
                .map(node -> ServerCommands.info(
                        await("read INFO", send(() -> node.async().info()))))
                .toList();
    }

    @Override
    public String setting(String name) {
        throw new UnsupportedOperationException("The servers of a cluster may have different settings.");
    }
}
