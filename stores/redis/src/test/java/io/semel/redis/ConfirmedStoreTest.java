// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome.Done;
import io.semel.OutcomeUnknown;
import io.semel.StoreException;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.RedisClient;

/** A replica that has to confirm, and stands still. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConfirmedStoreTest {

    private static final RedisOptions CONFIRMED =
            RedisOptions.DEFAULT.confirmedBy(1).withTimeout(Duration.ofSeconds(1));

    private final Redis master = Redis.with();
    private final Redis replica = Redis.with("--replicaof", "127.0.0.1 " + master.port());
    private final RedisClient jedis = RedisClient.create("127.0.0.1", master.port());
    private RedisStore direct;

    @BeforeAll
    void connect() {
        Await.that(
                "the replica is in touch",
                () -> master.ask(commands -> commands.info("replication").contains("state=online")));
        direct = RedisStore.on(master.client(), RedisOptions.DEFAULT);
    }

    /** And lets it catch up, so that the next test begins with a replica that confirms. */
    @AfterEach
    void resume() {
        replica.resume();
        Await.that(
                "the replica confirms",
                () -> master.ask(commands -> {
                    commands.set("written after the pause", "");
                    return commands.waitForReplication(1, 1000) == 1;
                }));
    }

    @AfterAll
    void stop() {
        direct.close();
        jedis.close();
        replica.close();
        master.close();
    }

    private ScriptedStore open(String client, RedisOptions options) {
        return client.equals("Jedis") ? JedisStore.on(jedis, options) : RedisStore.on(master.client(), options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Lettuce", "Jedis"})
    void whatNoReplicaConfirmsIsNeitherGrantedNorSettledAlthoughRedisHasIt(String client) {
        try (ScriptedStore store = open(client, CONFIRMED)) {
            Key claimed = Trial.key();
            Key settled = Trial.key();
            long fence = Trial.granted(direct, settled, "holder").fence();
            replica.pause();

            unconfirmed(() -> Trial.claim(store, claimed, "holder"));
            assertThat(direct.peek(claimed)).containsInstanceOf(Claim.Held.class);
            unconfirmed(() -> store.settle(settled, "holder", fence, Trial.DONE));
            assertThat(direct.peek(settled)).containsInstanceOf(Claim.Settled.class);

            replica.resume();
            assertThat(Trial.claimInTheEnd(store, claimed, "holder")).isInstanceOf(Claim.Granted.class);
            assertThat(Trial.claimInTheEnd(store, settled, "retry")).isInstanceOf(Claim.Settled.class);
        }
    }

    @Test
    void aCallWhoseClaimIsNotConfirmedDoesNotRun() {
        try (RedisStore store = RedisStore.on(master.client(), CONFIRMED)) {
            AtomicInteger runs = new AtomicInteger();
            replica.pause();

            assertThatThrownBy(
                            () -> engine(store).run(call(), Codec.utf8(), attempt -> "run " + runs.incrementAndGet()))
                    .isInstanceOf(StoreException.class);
            assertThat(runs).hasValue(0);
        }
    }

    @Test
    void aCallWhoseAnswerIsNotConfirmedIsUnknownAndItsRetryIsAnswered() {
        try (RedisStore store = RedisStore.on(master.client(), CONFIRMED)) {
            AtomicInteger runs = new AtomicInteger();
            Call call = call();

            assertThatThrownBy(() -> engine(store).run(call, Codec.utf8(), attempt -> {
                        replica.pause();
                        return "run " + runs.incrementAndGet();
                    }))
                    .isInstanceOf(OutcomeUnknown.class);
            replica.resume();
            Await.that(
                    "the replica is in touch",
                    () -> Trial.claimInTheEnd(store, Trial.key(), "holder") instanceof Claim.Granted);
            assertThat(engine(store).run(call, Codec.utf8(), attempt -> "run " + runs.incrementAndGet()))
                    .isEqualTo(new Done<>("run 1", true));
        }
    }

    @Test
    void atTheStartItIsSaidWhatIsGiven() {
        try (RedisStore confirmed = RedisStore.on(master.client(), CONFIRMED);
                RedisStore wanting = RedisStore.on(master.client(), CONFIRMED.confirmedBy(2))) {
            assertThat(confirmed.level()).isEqualTo(Level.BEST_EFFORT);
            assertThat(confirmed.caveats())
                    .anyMatch(each -> each.contains("confirmed by 1 of the replicas, in their memory"))
                    .noneMatch(each -> each.contains("asynchronous"))
                    .noneMatch(each -> each.contains("needs more replicas"));
            assertThat(wanting.caveats())
                    .anyMatch(each -> each.contains("confirmedBy(2) needs more replicas than the 1"));
        }
    }

    private static Engine engine(RedisStore store) {
        return Engine.on(store).with(Operation.named("charge").lease(Duration.ofSeconds(2)));
    }

    private static Call call() {
        return Call.of(Trial.key(), Trial.ASKED);
    }

    private static void unconfirmed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        StoreException thrown = catchThrowableOfType(StoreException.class, call);
        assertThat(thrown).isNotNull().hasMessageContaining("0 of 1 replicas");
        assertThat(thrown.changedNothing()).isFalse();
    }
}
