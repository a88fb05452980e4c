// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.semel.Inspectable.View;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Servers and data that are refused, and what is said about those that are not. */
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
                assertThat(store.caveats()).noneMatch(each -> each.contains("appendonly"));
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
                    RedisStore confirmed = RedisStore.on(master.client(), confirmedBy(1));
                    RedisStore doubtful = RedisStore.on(master.client(), confirmedBy(2))) {
                assertThat(store.caveats()).anyMatch(each -> each.contains("asynchronous"));
                Key key = Trial.done(confirmed);
                byte[] copy = replica.askInBytes(commands -> commands.get(name(key)));
                assertThat(copy).isNotNull();
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> Trial.claim(doubtful, Trial.key(), "holder"))
                        .withMessageContaining("1 of 2");
            }
        }
    }

    private static RedisOptions confirmedBy(int replicas) {
        return RedisOptions.DEFAULT.confirmedBy(replicas).withTimeout(Duration.ofSeconds(1));
    }

    @Test
    void aReplicaTakesNoClaims() {
        try (Redis master = Redis.with();
                Redis replica = Redis.with("--replicaof", "127.0.0.1 " + master.port())) {
            try (RedisStore store = RedisStore.on(replica.client(), RedisOptions.DEFAULT)) {
                StoreException thrown =
                        catchThrowableOfType(StoreException.class, () -> Trial.claim(store, Trial.key(), "holder"));

                assertThat(thrown.changedNothing()).isTrue();
                assertThat(thrown).hasMessageContaining("READONLY");
            }
        }
    }

    @Test
    void dataOfSomebodyElseIsRefusedAndLeftAlone() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            Key text = Trial.key();
            Key list = Trial.key();
            byte[] foreign = Trial.bytes("a text of somebody else, longer than the head of a row is");
            redis.askInBytes(commands -> commands.set(name(text), foreign));
            redis.askInBytes(commands -> commands.rpush(name(list), foreign, foreign));

            for (Key key : new Key[] {text, list}) {
                refused(() -> Trial.claim(store, key, "holder"));
                refused(() -> store.settle(key, "holder", 1, Trial.DONE));
                refused(() -> store.peek(key));
                refused(() -> store.amend(key, new byte[0], Trial.DONE));
            }
            refused(() -> store.page(View.OLDEST, null, 10));
            refused(store::count);
            byte[] kept = redis.askInBytes(commands -> commands.get(name(text)));
            long length = redis.askInBytes(commands -> commands.llen(name(list)));
            assertThat(kept).isEqualTo(foreign);
            assertThat(length).isEqualTo(2);
        }
    }

    @Test
    void dataOfANewerFormatIsRefused() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            Key key = Trial.done(store);
            redis.askInBytes(commands -> commands.setrange(name(key), 1, new byte[] {2}));

            refused(() -> Trial.claim(store, key, "holder"));
            refused(() -> store.look(key));
        }
    }

    @Test
    void servicesWithPrefixesOfTheirOwnDoNotMeet() {
        try (Redis redis = Redis.with();
                RedisStore orders = RedisStore.on(redis.client(), RedisOptions.DEFAULT.withPrefix("semel:"));
                RedisStore nested = RedisStore.on(redis.client(), RedisOptions.DEFAULT.withPrefix("semel:[*]:"))) {
            Key key = Trial.done(orders);

            assertThat(nested.peek(key)).isEmpty();
            Trial.granted(nested, key, "holder");
            assertThat(orders.count().settled()).isEqualTo(1);
            assertThat(orders.count().held()).isZero();
            assertThat(nested.count().held()).isEqualTo(1);
            assertThat(nested.count().settled()).isZero();
        }
    }

    @Test
    void aServerThatIsNotThereIsSaidToBeNotThere() {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", Redis.freePort()));
        try {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> RedisStore.on(client, RedisOptions.DEFAULT))
                    .withMessageContaining("Could not connect");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private static byte[] name(Key key) {
        return new Names("semel:").of(key);
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        StoreException thrown = catchThrowableOfType(StoreException.class, call);
        assertThat(thrown).isNotNull();
        assertThat(thrown.changedNothing()).isTrue();
        assertThat(thrown).hasMessageContaining("prefix");
    }
}
