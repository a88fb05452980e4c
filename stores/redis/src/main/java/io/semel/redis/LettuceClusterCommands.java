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
import org.jspecify.annotations.Nullable;

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

    /** Each server has a connection of its own behind this one, and a question to one that cannot be reached says so. */
    @Override
    boolean isUp() {
        return true;
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

    /** One server after the other; the cursor begins with the one that it is of. */
    @Override
    public Slice scan(byte @Nullable [] pattern, @Nullable String cursor, int about) {
        List<String> masters = masters();
        int dot = cursor == null ? -1 : cursor.indexOf('.');
        String master = cursor == null || dot < 0 ? masters.get(0) : cursor.substring(0, dot);
        int at = masters.indexOf(master);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "The cluster has changed since this cursor was given; begin again without one.");
        }
        String from = cursor == null || dot < 0 ? "0" : cursor.substring(dot + 1);
        Slice slice = scan(connection.getConnection(master).async(), pattern, from, about);
        if (slice.next() != null) {
            return new Slice(slice.names(), master + "." + slice.next());
        }
        return new Slice(slice.names(), at + 1 < masters.size() ? masters.get(at + 1) + ".0" : null);
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
                .map(node -> Commands.info(
                        await("ask for INFO", send(() -> node.async().info()))))
                .toList();
    }

    @Override
    public String setting(String name) {
        throw new UnsupportedOperationException("The servers of a cluster may have different settings.");
    }
}
