// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three masters that share all slots, and a replica of the first. */
final class Cluster implements AutoCloseable {

    private static final int SLOTS = 16384;
    private static final int MASTERS = 3;

    private final List<Redis> servers = new ArrayList<>();
    private final RedisClusterClient client;

    Cluster() {
        for (int i = 0; i <= MASTERS; i++) {
            Redis server = Redis.with("--cluster-enabled", "yes", "--cluster-node-timeout", "2000");
            long epoch = i + 1L;
            server.ask(commands -> commands.clusterSetConfigEpoch(epoch));
            servers.add(server);
        }
        for (int i = 0; i < MASTERS; i++) {
            share(i);
        }
        servers.forEach(this::meetFirst);
        Await.that("all know each other", () -> servers.stream().allMatch(Cluster::knowsAll));
        servers.get(MASTERS).ask(commands -> commands.clusterReplicate(id(first())));
        Await.that("the cluster is complete", () -> servers.stream().allMatch(Cluster::isComplete));
        Await.that("all see the same", this::isOneView);
        Await.that(
                "the replica is in touch",
                () -> first().ask(commands -> commands.info("replication").contains("state=online")));
        client = RedisClusterClient.create(first().uri());
        client.setOptions(ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(Duration.ofMillis(300))
                        .build())
                .build());
    }

    private void share(int i) {
        int from = i * SLOTS / MASTERS;
        int to = (i + 1) * SLOTS / MASTERS;
        int[] slots = IntStream.range(from, to).toArray();
        servers.get(i).ask(commands -> commands.clusterAddSlots(slots));
    }

    private void meetFirst(Redis server) {
        server.ask(commands -> commands.clusterMeet("127.0.0.1", first().port()));
    }

    private static boolean knowsAll(Redis server) {
        return server.ask(commands -> commands.clusterInfo().contains("cluster_known_nodes:" + (MASTERS + 1)));
    }

    private static boolean isComplete(Redis server) {
        return server.ask(commands -> commands.clusterInfo().contains("cluster_state:ok"));
    }

    /** A master that knows less than the others of who is whose replica, and since when, votes against it for good. */
    private boolean isOneView() {
        return servers.stream().map(Cluster::view).distinct().count() == 1;
    }

    /** Of each server: its id, its master, its epoch and its slots. */
    private static Set<List<String>> view(Redis server) {
        return server.ask(commands -> commands.clusterNodes())
                .lines()
                .map(line -> List.of(line.split(" ", -1)))
                .map(line -> List.of(line.get(0), line.get(3), line.get(6), line.get(line.size() - 1)))
                .collect(Collectors.toSet());
    }

    private static String id(Redis server) {
        return server.ask(commands -> commands.clusterMyId());
    }

    /** The one that has a replica. */
    Redis first() {
        return servers.get(0);
    }

    Redis replica() {
        return servers.get(MASTERS);
    }

    List<Redis> masters() {
        return servers.subList(0, MASTERS);
    }

    RedisClusterClient client() {
        return client;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        servers.forEach(Redis::close);
    }
}
