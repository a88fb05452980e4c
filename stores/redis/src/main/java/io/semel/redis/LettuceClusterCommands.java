// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

/** A cluster: every question is a call of its own, as its slot may be on any server; Lettuce sends them without waiting. */
final class LettuceClusterCommands extends LettuceTrips {

    private final StatefulRedisClusterConnection<byte[], byte[]> connection;
    private final Set<StatefulRedisConnection<byte[], byte[]>> watched =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    LettuceClusterCommands(RedisClusterClient client, RedisOptions options, Script script) {
        super(options.timeout(), script);
        this.connection = connecting(() -> client.connect(ByteArrayCodec.INSTANCE));
    }

    @Override
    StatefulRedisClusterConnection<byte[], byte[]> connection() {
        return connection;
    }

    @Override
    RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    /** Which servers are there, and which of them answer, is for the client's refresh of its topology to find out. */
    @Override
    void doubt() {}

    @Override
    public boolean isOneTrip() {
        return false;
    }

    @Override
    public List<Reply> run(List<Ask> asks) {
        List<RedisFuture<List<Object>>> futures = new ArrayList<>(asks.size());
        try {
            for (Ask each : asks) {
                watch(each.name());
                futures.add(evalsha(new byte[][] {each.name()}, each.arguments()));
            }
            return answers(futures, asks);
        } finally {
            futures.forEach(this::giveUp);
        }
    }

    private List<Reply> answers(List<RedisFuture<List<Object>>> futures, List<Ask> asks) {
        List<Reply> replies = new ArrayList<>(asks.size());
        for (int i = 0; i < asks.size(); i++) {
            List<Object> answer = answer(futures.get(i), asks.get(i));
            replies.add(new Reply((Long) answer.get(0), answer.get(1)));
        }
        return replies;
    }

    /** Listens to the connection that Lettuce uses for this slot: one of those that come and go behind ours. */
    private void watch(byte[] name) {
        checkOpen();
        RedisClusterNode master = connection.getPartitions().getMasterBySlot(SlotHash.getSlot(name));
        if (master != null) {
            RedisURI uri = master.getUri();
            // If there is no connection, the question itself says so.
            CompletableFuture<Void> unused = connection
                    .getConnectionAsync(uri.getHost(), uri.getPort())
                    .thenAccept(server -> {
                        if (watched.add(server)) {
                            server.addListener(this);
                        }
                    });
        }
    }

    private List<Object> answer(RedisFuture<List<Object>> future, Ask ask) {
        try {
            return await("run the script", future);
        } catch (RedisNoScriptException flushed) {
            return await("run the script", eval(new byte[][] {ask.name()}, ask.arguments()));
        }
    }

    @Override
    public List<Map<String, String>> infos() {
        return connection.getPartitions().stream()
                .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM)
                        && !node.getSlots().isEmpty())
                .map(node -> connection.getConnection(node.getNodeId()))
                .map(node -> Commands.info(
                        await("ask for INFO", send(() -> node.async().info()))))
                .toList();
    }

    @Override
    public String setting(String name) {
        throw new UnsupportedOperationException("The servers of a cluster may have different settings.");
    }
}
