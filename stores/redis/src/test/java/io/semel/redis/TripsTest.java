// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.sync.RedisCommands;
import io.semel.Key;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** How often Redis is asked, counted by Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TripsTest {

    private static final int THREADS = 32;
    private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    private final Redis redis = Redis.with();
    private final RedisStore store =
            RedisStore.on(redis.client(), RedisOptions.DEFAULT.withTimeout(Duration.ofMinutes(1)));

    @BeforeEach
    void sendScriptAndCountFromHere() {
        Trial.done(store);
        redis.ask(RedisCommands::configResetstat);
    }

    @AfterAll
    void stop() {
        store.close();
        redis.close();
    }

    @Test
    void aClaimASettlementAndADuplicateAreOneTripEach() {
        Key key = Trial.done(store);
        assertThat(trips()).isEqualTo(2);

        assertThat(Trial.answer(store, key)).isEqualTo("done");
        assertThat(trips()).isEqualTo(3);
    }

    @Test
    void theQuestionsOfManyThreadsGoTogether() throws Exception {
        List<FutureTask<Claim>> claims = Stream.generate(Trial::key)
                .limit(THREADS)
                .map(key -> new FutureTask<>(() -> Trial.claim(store, key, "holder")))
                .toList();
        List<Thread> threads = claims.stream().map(Thread::new).toList();
        redis.pause();
        try {
            threads.forEach(Thread::start);
            Await.that("all wait", () -> threads.stream().allMatch(TripsTest::isWaiting));
        } finally {
            redis.resume();
        }

        for (FutureTask<Claim> each : claims) {
            assertThat(each.get(1, TimeUnit.MINUTES)).isInstanceOf(Claim.Granted.class);
        }
        assertThat(trips()).isLessThanOrEqualTo(THREADS / 4);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private int trips() {
        Matcher calls = CALLS.matcher(redis.ask(commands -> commands.info("commandstats")));
        return calls.find() ? Integer.parseInt(calls.group(1)) : 0;
    }
}
