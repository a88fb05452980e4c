// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/** Which failures say that Redis could not be reached at all, so that nothing was asked; and which do not. */
class UnreachableTest {

    private static final RedisOptions HASTY = RedisOptions.DEFAULT.withTimeout(Duration.ofSeconds(1));

    @Test
    void aServerThatIsGoneCannotBeReachedAndCanWhenItIsBack() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), HASTY)) {
            Key key = Trial.done(store);
            redis.kill();
            StoreException first = failure(store);
            assertThat(first.isUnreachable() || !first.changedNothing())
                    .as("the loss may be noticed only by what is on its way")
                    .isTrue();
            Await.that("it is said to be unreachable", () -> failure(store).isUnreachable());

            long before = System.nanoTime();
            StoreException thrown = failure(store);
            assertThat(thrown.isUnreachable()).isTrue();
            assertThat(thrown.changedNothing()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .as("after a while nobody waits any more")
                    .isLessThan(Duration.ofSeconds(1));

            redis.start();
            Await.that("the connection is back", () -> isAnswered(store, key));
        }
    }

    @Test
    void aServerThatStandsStillMayHaveDoneWhatItWasAsked() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), HASTY)) {
            Trial.done(store);
            redis.pause();
            try {
                StoreException thrown = failure(store);
                assertThat(thrown.isUnreachable()).isFalse();
                assertThat(thrown.changedNothing()).isFalse();
            } finally {
                redis.resume();
            }
        }
    }

    /** Of the many who wait behind those whose questions are on their way, none waits for more than two time-outs. */
    @Test
    void aServerThatStandsStillHoldsNobodyForLong() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), HASTY)) {
            Trial.done(store);
            redis.pause();
            try {
                List<Duration> waits = IntStream.range(0, 1500)
                        .mapToObj(i -> new FutureTask<>(() -> timed(store)))
                        .peek(task -> daemon(task).start())
                        .toList()
                        .stream()
                        .map(UnreachableTest::get)
                        .toList();

                assertThat(waits).allSatisfy(wait -> assertThat(wait).isLessThan(Duration.ofSeconds(4)));
            } finally {
                redis.resume();
            }
        }
    }

    private static Duration timed(Store store) {
        long before = System.nanoTime();
        assertThat(failure(store)).isNotNull();
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    private static Duration get(FutureTask<Duration> task) {
        try {
            return task.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void jedisCannotReachAServerThatIsGone() {
        try (Redis redis = Redis.with();
                RedisClient client = RedisClient.create("127.0.0.1", redis.port())) {
            JedisStore store = JedisStore.on(client, HASTY);
            redis.kill();

            Await.that("idle connections are used up", () -> failure(store).isUnreachable());
            assertThat(failure(store).changedNothing()).isTrue();
        }
    }

    @Test
    void aPoolThatIsUsedUpIsNotAServerThatCannotBeReached() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        one.setMaxWait(Duration.ofMillis(100));
        try (Redis redis = Redis.with();
                RedisClient client = RedisClient.builder()
                        .hostAndPort(new HostAndPort("127.0.0.1", redis.port()))
                        .poolConfig(one)
                        .build()) {
            JedisStore store = JedisStore.on(client, HASTY);
            try (var taken = client.getPool().getResource()) {
                assertThat(taken.isConnected()).isTrue();
                StoreException thrown = failure(store);
                assertThat(thrown.isUnreachable()).isFalse();
                assertThat(thrown.changedNothing()).isTrue();
            }
        }
    }

    private static boolean isAnswered(Store store, Key key) {
        try {
            return !Trial.answer(store, key).isEmpty();
        } catch (StoreException notYet) {
            return false;
        }
    }

    private static StoreException failure(Store store) {
        return catchThrowableOfType(StoreException.class, () -> Trial.claim(store, Trial.key(), "holder"));
    }
}
