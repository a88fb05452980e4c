// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.semel.Claim;
import io.semel.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master that dies, and a replica that Sentinel puts in its place. */
class SentinelFailoverTest {

    private final Redis master = Redis.with();
    private final Redis replica = Redis.with("--replicaof", "127.0.0.1 " + master.port());
    private final int port = Redis.freePort();

    @TempDir
    private Path directory;

    private Process sentinel;
    private RedisClient client;

    @BeforeEach
    void start() throws IOException {
        Await.that(
                "the replica is in touch",
                () -> master.ask(commands -> commands.info("replication").contains("state=online")));
        Path configuration = directory.resolve("sentinel.conf");
        Files.writeString(configuration, """
                port %d
                bind 127.0.0.1
                sentinel monitor payments 127.0.0.1 %d 1
                sentinel down-after-milliseconds payments 500
                sentinel failover-timeout payments 2000
                """.formatted(port, master.port()));
        sentinel = Redis.sentinel(configuration);
        client = RedisClient.create(
                RedisURI.Builder.sentinel("127.0.0.1", port, "payments").build());
        Await.that("Sentinel knows the replica", () -> Sentinels.knowsReplica(port, "payments"));
    }

    @AfterEach
    void stop() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        sentinel.destroyForcibly().onExit().join();
        replica.close();
        master.close();
    }

    @Test
    void whatReplicasConfirmedSurvivesAFailoverAndWorkGoesOn() {
        try (RedisStore store = RedisStore.on(client, RedisOptions.DEFAULT.confirmedBy(1))) {
            List<Key> done =
                    IntStream.range(0, 50).mapToObj(i -> Trial.done(store)).toList();
            Key held = Trial.key();
            Claim.Granted granted = Trial.granted(store, held, "survivor");
            master.kill();

            try (RedisStore after = RedisStore.on(promoted(), RedisOptions.DEFAULT)) {
                assertThat(done).allMatch(key -> Trial.answer(after, key).equals("done"));
                assertThat(Trial.claim(after, held, "survivor")).isEqualTo(granted);
                assertThat(after.settle(held, "survivor", granted.fence(), Trial.DONE))
                        .isTrue();
            }
        }
    }

    @Test
    void theSameStoreFollowsTheNewMaster() {
        RedisOptions hasty = RedisOptions.DEFAULT.withTimeout(Duration.ofSeconds(1));
        try (RedisStore store = RedisStore.on(client, hasty)) {
            Key before = Trial.done(store);
            Await.that("the replica has it", () -> replica.ask(commands -> commands.dbsize()) > 0);
            master.kill();

            Key key = Trial.key();
            assertThat(Trial.claimInTheEnd(store, key, "holder")).isInstanceOf(Claim.Granted.class);
            assertThat(Trial.answer(store, before)).isEqualTo("done");
        }
    }

    /** What BEST_EFFORT means: it may happen again, with a higher fence; the first holder is told that it lost. */
    @Test
    void aClaimThatTheReplicaNeverHadIsLostAndItsHolderIsToldSo() {
        try (RedisStore store = RedisStore.on(client, RedisOptions.DEFAULT.withTimeout(Duration.ofSeconds(1)))) {
            replica.pause();
            master.ask(commands -> commands.clientKill(KillArgs.Builder.typeSlave()));
            Key key = Trial.key();
            long lost = Trial.granted(store, key, "first").fence();
            master.kill();
            replica.resume();

            Claim.Granted again = (Claim.Granted) Trial.claimInTheEnd(store, key, "second");
            assertThat(again.fence()).isGreaterThan(lost);
            assertThat(store.settle(key, "first", lost, Trial.DONE)).isFalse();
            assertThat(store.settle(key, "second", again.fence(), Trial.DONE)).isTrue();
        }
    }

    /** A client of the former replica, when it takes writes. */
    private RedisClient promoted() {
        Await.that(
                "the replica is promoted",
                () -> replica.ask(commands -> commands.info("replication").contains("role:master")));
        return replica.client();
    }
}
