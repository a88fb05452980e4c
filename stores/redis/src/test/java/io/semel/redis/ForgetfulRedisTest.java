// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.sync.RedisCommands;
import io.semel.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Redis may forget scripts at any time, and everything else too. */
class ForgetfulRedisTest {

    private static final int THREADS = 8;
    private static final int EACH = 200;

    @Test
    void scriptsThatAreFlushedMeanwhileAreSentAgain() throws Exception {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<List<Key>>> done = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                done.add(threads.submit(() -> java.util.stream.IntStream.range(0, EACH)
                        .mapToObj(number -> Trial.done(store))
                        .toList()));
            }
            while (done.stream().anyMatch(each -> !each.isDone())) {
                redis.ask(RedisCommands::scriptFlush);
            }
            threads.shutdown();

            for (Future<List<Key>> each : done) {
                assertThat(each.get())
                        .hasSize(EACH)
                        .allMatch(key -> Trial.answer(store, key).equals("done"));
            }
        }
    }

    /** What BEST_EFFORT means: it may happen again, with a higher fence; who holds it is told that it lost. */
    @Test
    void whatIsFlushedMayHappenAgainAndItsHolderIsToldSo() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            Key done = Trial.done(store);
            Key held = Trial.key();
            long fence = Trial.granted(store, held, "first").fence();
            redis.ask(RedisCommands::flushall);

            assertThat(store.settle(held, "first", fence, Trial.DONE)).isFalse();
            assertThat(Trial.granted(store, held, "second").fence()).isGreaterThan(fence);
            assertThat(Trial.granted(store, done, "second").abandoned()).isFalse();
        }
    }
}
