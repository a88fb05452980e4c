// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.testservers.RedisCluster;
import java.time.Duration;
import java.util.List;

/** A real cluster, and a client that hears soon of what happens to it. */
final class Cluster implements AutoCloseable {

    private final RedisCluster cluster = RedisCluster.start();
    private final List<Redis> masters =
            cluster.masters().stream().map(Redis::new).toList();
    private final Redis replica = new Redis(cluster.replica());
    private final RedisClusterClient client = RedisClusterClient.create(first().uri());

    Cluster() {
        client.setOptions(ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(Duration.ofMillis(300))
                        .build())
                .build());
    }

    /** The one that has a replica. */
    Redis first() {
        return masters.get(0);
    }

    Redis replica() {
        return replica;
    }

    List<Redis> masters() {
        return masters;
    }

    RedisClusterClient client() {
        return client;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        masters.forEach(Redis::close);
        replica.close();
        cluster.close();
    }
}
