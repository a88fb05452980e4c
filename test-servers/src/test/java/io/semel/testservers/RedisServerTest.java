// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisServerTest {

    @Test
    void itForgetsAtACrashUnlessItIsToldToKeepEveryWrite() {
        try (RedisServer forgetful = RedisServer.start();
                RedisServer durable = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            assertThat(afterACrash(forgetful)).isEmpty();
            assertThat(afterACrash(durable)).isEqualTo("value");
        }
    }

    private static String afterACrash(RedisServer server) {
        assertThat(server.ask("SET", "key", "value")).isEqualTo("OK");
        server.kill();
        server.restart();
        return server.ask("GET", "key");
    }

    @Test
    void aSentinelPutsTheReplicaInThePlaceOfADeadMaster() {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1 " + master.port());
                RedisSentinel sentinel = RedisSentinel.watching("payments", master)) {
            assertThat(sentinel.port()).isPositive();
            master.kill();

            Await.that(
                    "the replica is promoted",
                    () -> replica.ask("INFO", "replication").contains("role:master"));
        }
    }

    @Test
    void aClusterSharesTheSlots() {
        try (RedisCluster cluster = RedisCluster.start()) {
            assertThat(cluster.replica().ask("INFO", "replication")).contains("role:slave");
            assertThat(cluster.masters())
                    .allSatisfy(each -> assertThat(each.ask("CLUSTER", "INFO")).contains("cluster_slots_ok:16384"));
        }
    }
}
