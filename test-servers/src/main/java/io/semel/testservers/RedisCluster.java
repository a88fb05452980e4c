// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Three Redis masters that share all slots, and a replica of the first. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16384;
    private static final int MASTERS = 3;

    private final List<RedisServer> servers = new ArrayList<>();

    private RedisCluster() {
        for (int i = 0; i <= MASTERS; i++) {
            RedisServer server = RedisServer.start("--cluster-enabled", "yes", "--cluster-node-timeout", "2000");
            servers.add(server);
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
        }
        for (int i = 0; i < MASTERS; i++) {
            int from = i * SLOTS / MASTERS;
            int to = (i + 1) * SLOTS / MASTERS - 1;
            servers.get(i).ask("CLUSTER", "ADDSLOTSRANGE", "" + from, "" + to);
        }
        servers.forEach(each -> each.ask("CLUSTER", "MEET", "127.0.0.1", "" + first().port()));
        Await.that("all know each other", () -> servers.stream().allMatch(RedisCluster::knowsAll));
        replica().ask("CLUSTER", "REPLICATE", first().ask("CLUSTER", "MYID"));
        Await.that("the cluster is complete", () -> servers.stream().allMatch(RedisCluster::isComplete));
        Await.that("all see the same", this::isOneView);
        Await.that(
                "the replica is in touch",
                () -> first().ask("INFO", "replication").contains("state=online"));
    }

    /** One of its own, complete and in agreement. */
    public static RedisCluster start() {
        return new RedisCluster();
    }

    private static boolean knowsAll(RedisServer server) {
        return server.ask("CLUSTER", "INFO").contains("cluster_known_nodes:" + (MASTERS + 1));
    }

    private static boolean isComplete(RedisServer server) {
        return server.ask("CLUSTER", "INFO").contains("cluster_state:ok");
    }

    /** A master that knows less than the others of who is whose replica, and since when, votes against it for good. */
    private boolean isOneView() {
        return servers.stream().map(RedisCluster::view).distinct().count() == 1;
    }

    /** Of each server: its id, its master, its epoch and its slots. */
    private static Set<List<String>> view(RedisServer server) {
        return server.ask("CLUSTER", "NODES")
                .lines()
                .map(line -> List.of(line.split(" ", -1)))
                .map(line -> List.of(line.get(0), line.get(3), line.get(6), line.get(line.size() - 1)))
                .collect(Collectors.toSet());
    }

    private RedisServer first() {
        return servers.get(0);
    }

    /** The masters; the first has a replica. */
    public List<RedisServer> masters() {
        return List.copyOf(servers.subList(0, MASTERS));
    }

    /** That of the first master. */
    public RedisServer replica() {
        return servers.get(MASTERS);
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
