// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.jdbc.JdbcStore;
import io.semel.layered.Breaker;
import io.semel.layered.CachedStore;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testservers.RedisSentinel;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A master that dies, and a replica that Sentinel puts in its place. */
class SentinelFailoverTest {

    private static final RedisOptions HASTY = RedisOptions.DEFAULT.withTimeout(Duration.ofSeconds(1));

    private final Redis master = Redis.with();
    private final Redis replica = Redis.with("--replicaof", "127.0.0.1 " + master.port());
    private final RedisSentinel sentinel = RedisSentinel.watching("payments", master.server());
    private final RedisClient client = RedisClient.create(
            RedisURI.Builder.sentinel("127.0.0.1", sentinel.port(), "payments").build());

    @AfterEach
    void stop() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        sentinel.close();
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
        try (RedisStore store = RedisStore.on(client, HASTY)) {
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
        try (RedisStore store = RedisStore.on(client, HASTY)) {
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

    /** Nobody knows any more that it was done, only that it was begun: what then happens is for the operation to say. */
    @Test
    void anAnswerThatTheReplicaNeverHadLeavesItsCallHeldAndThenAbandoned() {
        try (RedisStore store = RedisStore.on(client, HASTY)) {
            Key key = Trial.key();
            long first = Trial.granted(store, key, "first").fence();
            Await.that("the replica has the claim", () -> replica.ask(commands -> commands.dbsize()) > 0);
            replica.pause();
            master.ask(commands -> commands.clientKill(KillArgs.Builder.typeSlave()));
            assertThat(store.settle(key, "first", first, Trial.DONE)).isTrue();
            master.kill();
            replica.resume();

            assertThat(Trial.claimInTheEnd(store, key, "second")).isInstanceOf(Claim.Held.class);
            replica.elapse(Trial.LEASE);
            Claim.Granted again = Trial.granted(store, key, "second");
            assertThat(again.abandoned()).isTrue();
            assertThat(again.fence()).isGreaterThan(first);
        }
    }

    /** While there is no master the store behind decides alone; the new one gives the answers that the replica had. */
    @Test
    void answersInFrontOfAStoreFollowTheNewMaster() {
        try (HikariDataSource pool = Postgres.newDatabase("answers_failover");
                RedisAnswers answers = RedisAnswers.on(client, HASTY)) {
            Store tiered = tiered(pool, answers);
            Key before = remembered(tiered);
            master.kill();

            Key during = Trial.done(tiered);
            assertThat(Trial.answer(tiered, during)).isEqualTo("done");
            assertThat(Trial.answer(tiered, before)).isEqualTo("done");
            Await.that("the new master answers", () -> isAnswered(answers, before));
            Await.that("it is filled", () -> {
                assertThat(Trial.answer(tiered, during)).isEqualTo("done");
                return isAnswered(answers, during);
            });
        }
    }

    @Test
    void aReplicaThatMissedAnAmendmentGivesTheFormerAnswerAndLetsNothingRun() {
        try (HikariDataSource pool = Postgres.newDatabase("stale_failover");
                RedisAnswers answers = RedisAnswers.on(client, HASTY)) {
            Store tiered = tiered(pool, answers);
            Key key = remembered(tiered);
            replica.pause();
            master.ask(commands -> commands.clientKill(KillArgs.Builder.typeSlave()));
            Settlement verdict = new Settlement.Complete(Trial.bytes("amended"), Retention.DEFAULT);
            assertThat(((Inspectable) tiered).amend(key, Trial.DONE.result(), verdict))
                    .isTrue();
            assertThat(Trial.answer(tiered, key)).isEqualTo("amended");
            master.kill();
            replica.resume();

            Await.that("the new master answers", () -> isAnswered(answers, key));
            Await.that("its answer is given", () -> Trial.answer(tiered, key).equals("done"));
            answers.forget(key);
            assertThat(Trial.answer(tiered, key)).isEqualTo("amended");
        }
    }

    private static Store tiered(HikariDataSource pool, RedisAnswers answers) {
        Breaker breaker =
                Breaker.around(answers).opening(2, Duration.ofMillis(200)).telling(notice -> {});
        return CachedStore.over(JdbcStore.on(pool), breaker).freshFor(Duration.ofMinutes(10));
    }

    /** A call that was done, and whose answer both servers have. */
    private Key remembered(Store tiered) {
        Key key = Trial.done(tiered);
        Await.that("the replica has it", () -> {
            assertThat(Trial.answer(tiered, key)).isEqualTo("done");
            return replica.ask(commands -> commands.dbsize()) > 0;
        });
        return key;
    }

    private static boolean isAnswered(RedisAnswers answers, Key key) {
        try {
            return answers.get(key).isPresent();
        } catch (StoreException notYet) {
            return false;
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
