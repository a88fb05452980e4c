// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lettuce.core.cluster.SlotHash;
import io.semel.Key;
import io.semel.StoreException;
import io.semel.redis.internal.script.SlotNames;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A cluster that loses a master, and has a replica for it. */
class ClusterFailoverTest {

    @Test
    void workGoesOnWhenAReplicaTakesOver() {
        try (Cluster cluster = new Cluster();
                RedisStore store =
                        RedisStore.on(cluster.client(), RedisOptions.DEFAULT.withTimeout(Duration.ofSeconds(1)))) {
            List<Key> done =
                    IntStream.range(0, 60).mapToObj(i -> Trial.done(store)).toList();
            Key held = onFirst();
            Claim.Granted granted = Trial.granted(store, held, "holder");
            Await.that(
                    "the replica has all",
                    () -> cluster.replica()
                            .ask(commands -> commands.dbsize())
                            .equals(cluster.first().ask(commands -> commands.dbsize())));
            cluster.first().kill();

            assertThat(Trial.claimInTheEnd(store, held, "holder")).isEqualTo(granted);
            assertThat(store.settle(held, "holder", granted.fence(), Trial.DONE))
                    .isTrue();
            // The servers hear of the new master one after the other, and refuse everything until then.
            assertThat(done).allMatch(key -> Trial.answerInTheEnd(store, key).equals("done"));
        }
    }

    /** If the client sent it again to the new master, a settle that had applied would be told that it did not. */
    @Test
    void whatIsOnItsWayWhenAServerDiesIsUnknownAtOnce() {
        RedisOptions patient = RedisOptions.DEFAULT.withTimeout(Duration.ofMinutes(5));
        try (Cluster cluster = new Cluster();
                RedisStore store = RedisStore.on(cluster.client(), patient)) {
            Key key = onFirst();
            long fence = Trial.granted(store, key, "holder").fence();
            cluster.first().pause();
            FutureTask<Boolean> settling = new FutureTask<>(() -> store.settle(key, "holder", fence, Trial.DONE));
            Thread settler = new Thread(settling);
            settler.start();
            Await.that("it waits for an answer", () -> settler.getState() == Thread.State.TIMED_WAITING);
            cluster.first().kill();

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> settling.get(1, TimeUnit.MINUTES))
                    .withCauseInstanceOf(StoreException.class);
        }
    }

    private static Key onFirst() {
        return Stream.generate(Trial::key)
                .filter(key -> SlotHash.getSlot(new SlotNames("semel:").of(key)) < 5461)
                .findFirst()
                .orElseThrow();
    }
}
