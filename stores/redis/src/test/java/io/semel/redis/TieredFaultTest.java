// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RestoreArgs;
import io.lettuce.core.api.sync.RedisServerCommands;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Retention;
import io.semel.jdbc.JdbcStore;
import io.semel.layered.Breaker;
import io.semel.layered.Breaker.Notice;
import io.semel.layered.CachedStore;
import io.semel.redis.internal.script.HashedNames;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whatever happens to Redis, PostgreSQL decides; and what Redis knows is answered whatever happens to PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TieredFaultTest {

    private static final Duration FRESH_FOR = Duration.ofMinutes(10);
    private static final RedisOptions HASTY = RedisOptions.DEFAULT.withTimeout(Duration.ofMillis(300));

    private final Redis redis = Redis.with();
    private final HikariDataSource pool = Postgres.SERVER.newDatabase("tieredfaults");
    private final JdbcStore truth = JdbcStore.on(pool);
    private final Queue<Notice> notices = new ConcurrentLinkedQueue<>();
    private final List<RedisAnswers> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private CachedStore tiered(Redis server, RedisOptions options) {
        RedisAnswers answers = RedisAnswers.on(server.client(), options);
        opened.add(answers);
        Breaker breaker =
                Breaker.around(answers).opening(2, Duration.ofMillis(500)).telling(notices::add);
        return CachedStore.over(truth, breaker).freshFor(FRESH_FOR);
    }

    @BeforeEach
    void forgetNotices() {
        notices.clear();
    }

    @AfterAll
    void stop() {
        threads.shutdownNow();
        opened.forEach(RedisAnswers::close);
        pool.close();
        redis.close();
    }

    @Test
    void duplicatesInAllProcessesAreAnsweredWhilePostgresStandsStill() throws Exception {
        CachedStore here = tiered(redis, RedisOptions.DEFAULT);
        CachedStore elsewhere = tiered(redis, RedisOptions.DEFAULT);
        Key key = Trial.done(here);
        Trial.answer(here, key);

        Postgres.SERVER.pause();
        try {
            inThreads(8, thread -> {
                for (int i = 0; i < 200; i++) {
                    assertThat(Trial.answer(thread % 2 == 0 ? here : elsewhere, key))
                            .isEqualTo("done");
                }
            });
        } finally {
            Postgres.SERVER.resume();
        }
    }

    @Test
    void aRedisThatStandsStillIsLeftAloneAndUsedAgainWhenItGoesOn() {
        CachedStore store = tiered(redis, HASTY);
        Key key = Trial.done(store);
        Trial.answer(store, key);

        redis.pause();
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(Trial.answer(store, key)).isEqualTo("done");
                assertThat(Trial.answer(store, Trial.done(store))).isEqualTo("done");
            }
            assertThat(notices).hasAtLeastOneElementOfType(Notice.Opened.class);
        } finally {
            redis.resume();
        }
        Await.that("Redis is used again", () -> {
            assertThat(Trial.answer(store, key)).isEqualTo("done");
            return notices.stream().anyMatch(Notice.Closed.class::isInstance);
        });
    }

    @Test
    void aRedisThatIsEmptiedAgainAndAgainLetsNothingHappenTwice() throws Exception {
        AtomicInteger[] effects = new AtomicInteger[40];
        Key[] keys = new Key[effects.length];
        for (int i = 0; i < effects.length; i++) {
            effects[i] = new AtomicInteger();
            keys[i] = Trial.key();
        }
        Operation patient = Operation.named("charge").waitWhenBusy(Duration.ofMinutes(1));
        List<Engine> engines = List.of(
                Engine.on(tiered(redis, RedisOptions.DEFAULT)).with(patient),
                Engine.on(tiered(redis, RedisOptions.DEFAULT)).with(patient));
        inThreads(4, thread -> {
            for (int i = 0; i < effects.length * 3; i++) {
                int number = (i + 7 * thread) % effects.length;
                if (i % 10 == 0) {
                    redis.ask(RedisServerCommands::flushall);
                }
                Outcome<String> outcome = engines.get(thread % 2)
                        .run(
                                Call.of(keys[number], Trial.ASKED),
                                Codec.utf8(),
                                attempt -> "effect " + effects[number].incrementAndGet());
                assertThat(outcome.orThrow()).isEqualTo("effect 1");
            }
        });

        assertThat(effects).extracting(AtomicInteger::get).containsOnly(1);
    }

    @Test
    void aRedisThatEvictsForgetsAnswersAndNothingElse() {
        try (Redis small = Redis.with("--maxmemory", "3mb", "--maxmemory-policy", "allkeys-lru")) {
            CachedStore store = tiered(small, RedisOptions.DEFAULT);
            byte[] answer = new byte[20_000];
            List<Key> keys = IntStream.range(0, 200)
                    .mapToObj(i -> {
                        Key key = Trial.key();
                        long fence = Trial.granted(store, key, "holder").fence();
                        store.settle(key, "holder", fence, new Settlement.Complete(answer, Retention.DEFAULT));
                        return key;
                    })
                    .toList();
            for (int round = 0; round < 2; round++) {
                for (Key key : keys) {
                    assertThat(((Claim.Settled) Trial.claim(store, key, "retry")).result())
                            .isEqualTo(answer);
                }
            }

            String stats = small.ask(commands -> commands.info("stats"));
            assertThat(stats).contains("evicted_keys:").doesNotContain("evicted_keys:0\r");
        }
    }

    @Test
    void aRedisThatIsFullWithoutEvictingIsDoneWithout() {
        try (Redis full = Redis.with("--maxmemory", "1mb", "--maxmemory-policy", "noeviction")) {
            CachedStore store = tiered(full, RedisOptions.DEFAULT);
            Key key = Trial.done(store);

            assertThat(Trial.answer(store, key)).isEqualTo("done");
            assertThat(Trial.answer(store, key)).isEqualTo("done");
            assertThat(notices).hasAtLeastOneElementOfType(Notice.Failed.class);
        }
    }

    /** As after the promotion of a replica that had not heard of the amendment, or when a backup is restored. */
    @Test
    void anAnswerFromBeforeAnAmendmentThatComesBackIsGivenOnlyWhileItIsFresh() {
        CachedStore store = tiered(redis, RedisOptions.DEFAULT);
        Key key = Trial.done(store);
        Trial.answer(store, key);
        byte[] name = new HashedNames("semel:answer").of(key);
        byte[] dump = redis.askInBytes(commands -> commands.dump(name));
        Settlement amended = new Settlement.Complete(Trial.bytes("amended"), Retention.DEFAULT);
        assertThat(((Inspectable) store).amend(key, Trial.bytes("done"), amended))
                .isTrue();
        assertThat(Trial.answer(store, key)).isEqualTo("amended");

        redis.askInBytes(commands ->
                commands.restore(name, dump, RestoreArgs.Builder.ttl(FRESH_FOR).replace()));
        assertThat(Trial.answer(store, key)).isEqualTo("done");
        redis.elapse(FRESH_FOR);
        assertThat(Trial.answer(store, key)).isEqualTo("amended");
    }

    @Test
    void whatAnOperatorReleasesIsFreeAtOnceInAllProcesses() {
        Store here = tiered(redis, RedisOptions.DEFAULT);
        Store elsewhere = tiered(redis, RedisOptions.DEFAULT);
        Key key = Trial.done(here);
        assertThat(Trial.answer(here, key)).isEqualTo("done");
        assertThat(Trial.answer(elsewhere, key)).isEqualTo("done");

        ((Inspectable) here).amend(key, Trial.bytes("done"), new Settlement.Release());

        assertThat(Trial.claim(elsewhere, key, "another")).isInstanceOf(Claim.Granted.class);
    }

    private interface Errand {

        void run(int thread) throws Exception;
    }

    private void inThreads(int number, Errand errand) throws Exception {
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            int thread = i;
            futures.add(threads.submit(() -> {
                errand.run(thread);
                return thread;
            }));
        }
        for (Future<?> each : futures) {
            each.get();
        }
    }
}
