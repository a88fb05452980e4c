// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.redis.internal.client.ScanPage;
import io.semel.redis.internal.client.ServerCheck;
import io.semel.redis.internal.client.ServerCommands;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import io.semel.redis.internal.script.SlotNames;
import io.semel.testservers.Ports;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that are refused, and what is said about those that are not. */
class RefusalTest {

    @Test
    void aServerThatMayEvictKeysIsRefusedUnlessThatIsAccepted() {
        try (Redis redis = Redis.with("--maxmemory-policy", "volatile-lru")) {
            assertThatThrownBy(() -> RedisStore.on(redis.client(), RedisOptions.DEFAULT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("volatile-lru")
                    .hasMessageContaining("noeviction");
            try (RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT.acceptingEviction())) {
                assertThat(store.level()).isEqualTo(Level.BEST_EFFORT);
                assertThat(store.caveats()).anyMatch(each -> each.contains("evicted"));
            }
        }
    }

    @Test
    void aServerThatDoesNotSyncItsFileIsNotTakenForDurable() {
        try (Redis redis = Redis.with("--appendonly", "yes", "--appendfsync", "everysec")) {
            assertThatThrownBy(() -> RedisStore.on(redis.client(), RedisOptions.DEFAULT.durable()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("appendfsync always, not everysec");
            try (RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
                assertThat(store.caveats())
                        .noneMatch(each -> each.contains("appendonly"))
                        .anyMatch(each -> each.contains("about a second with everysec"));
            }
        }
    }

    @Test
    void aServerWithReplicasIsNotTakenForDurable() {
        try (Redis master = Redis.with("--appendonly", "yes", "--appendfsync", "always");
                Redis replica = Redis.with("--replicaof", "127.0.0.1 " + master.port())) {
            Await.that(
                    "the replica is in touch",
                    () -> master.ask(commands -> commands.info("replication").contains("state=online")));

            assertThatThrownBy(() -> RedisStore.on(master.client(), RedisOptions.DEFAULT.durable()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("failover");
            try (RedisStore store = RedisStore.on(master.client(), RedisOptions.DEFAULT);
                    RedisStore confirmed = RedisStore.on(master.client(), confirmedBy(1, Duration.ofSeconds(30)));
                    RedisStore doubtful = RedisStore.on(master.client(), confirmedBy(2, Duration.ofSeconds(2)))) {
                assertThat(store.caveats()).anyMatch(each -> each.contains("asynchronous"));
                Key key = Trial.done(confirmed);
                byte[] copy = replica.askInBytes(commands -> commands.get(new SlotNames("semel:").of(key)));
                assertThat(copy).isNotNull();
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> Trial.claim(doubtful, Trial.key(), "holder"))
                        .withMessageContaining("1 of 2");
            }
        }
    }

    private static RedisOptions confirmedBy(int replicas, Duration timeout) {
        return RedisOptions.DEFAULT.confirmedBy(replicas).withTimeout(timeout);
    }

    @Test
    void aServerWithFewerReplicasThanItDemandsGrantsAndSettlesNothing() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            Key key = Trial.key();
            long fence = Trial.granted(store, key, "holder").fence();
            redis.ask(commands -> commands.configSet("min-replicas-to-write", "1"));

            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> Trial.claim(store, Trial.key(), "another"),
                    () -> store.settle(key, "holder", fence, Trial.DONE))) {
                StoreException thrown = catchThrowableOfType(StoreException.class, call);
                assertThat(thrown).hasMessageContaining("min-replicas-to-write requires");
                assertThat(thrown.changedNothing()).isTrue();
            }
            redis.ask(commands -> commands.configSet("min-replicas-to-write", "0"));
            assertThat(store.settle(key, "holder", fence, Trial.DONE)).isTrue();
        }
    }

    @Test
    void oneServerOfAClusterIsRefusedWithWhatToDo() {
        try (Redis one = Redis.with("--cluster-enabled", "yes");
                redis.clients.jedis.RedisClient jedis =
                        redis.clients.jedis.RedisClient.create("127.0.0.1", one.port())) {
            for (ThrowingCallable open : List.<ThrowingCallable>of(
                    () -> RedisStore.on(one.client(), RedisOptions.DEFAULT),
                    () -> JedisStore.on(jedis, RedisOptions.DEFAULT))) {
                assertThatThrownBy(open)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("one server of a cluster")
                        .hasMessageContaining("RedisClusterClient");
            }
        }
    }

    /** They would grant, and then not know how to settle. */
    @ParameterizedTest
    @CsvSource({"5.0.14, true", "6.0.16, true", "6.2.0, false", "7.0.15, false", "10.1.0, false"})
    void aServerThatIsTooOldIsRefused(String version, boolean refused) {
        try (ServerCommands server = new Told(Map.of(
                "redis_version", version, "maxmemory_policy", "noeviction", "role", "master", "aof_enabled", "0"))) {
            ThrowingCallable survey = () -> ServerCheck.of(server, RedisOptions.DEFAULT.client());

            if (refused) {
                assertThatThrownBy(survey).hasMessageContaining(version).hasMessageContaining("6.2 or later");
            } else {
                assertThatCode(survey).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void aReplicaTakesNoClaims() {
        try (Redis master = Redis.with();
                Redis replica = Redis.with("--replicaof", "127.0.0.1 " + master.port())) {
            Await.that(
                    "it has loaded what the master has",
                    () -> replica.ask(commands -> commands.info("replication").contains("master_link_status:up")));
            try (RedisStore store = RedisStore.on(replica.client(), RedisOptions.DEFAULT)) {
                StoreException thrown =
                        catchThrowableOfType(StoreException.class, () -> Trial.claim(store, Trial.key(), "holder"));

                assertThat(thrown.changedNothing()).isTrue();
                assertThat(thrown).hasMessageContaining("READONLY");
            }
        }
    }

    @Test
    void aServerThatIsNotThereIsSaidToBeNotThere() {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", Ports.free()));
        try {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> RedisStore.on(client, RedisOptions.DEFAULT))
                    .withMessageContaining("Could not connect")
                    .withMessageContaining("refused")
                    .withMessageContaining("Check that it is up");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    @Test
    void aServerThatAsksForAPasswordSaysSoAndTheErrorSaysWhatToDo() {
        try (Redis locked = Redis.with()) {
            locked.ask(commands -> commands.configSet("requirepass", "secret"));

            for (ThrowingCallable open : List.<ThrowingCallable>of(
                    () -> RedisStore.on(locked.client(), RedisOptions.DEFAULT),
                    () -> JedisStore.on(
                            redis.clients.jedis.RedisClient.create("127.0.0.1", locked.port()),
                            RedisOptions.DEFAULT))) {
                assertThatThrownBy(open)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("NOAUTH")
                        .hasMessageContaining("a user that may run scripts");
            }
        }
    }

    /** A server that says this of itself, and nothing else. */
    private record Told(Map<String, String> info) implements ServerCommands {

        @Override
        public List<Map<String, String>> infos() {
            return List.of(info);
        }

        @Override
        public boolean carriesBatches() {
            return true;
        }

        @Override
        public List<ScriptReply> run(List<ScriptRequest> asks) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant time() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ScanPage scan(byte[] pattern, String cursor, int about) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String setting(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
