// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.memory.MemoryStore;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fence of a key rises whoever grants it, also where the clocks of the two stores differ. */
class MigrationFenceTest {

    private final ManualTime time = new ManualTime();

    @ParameterizedTest
    @ValueSource(longs = {-900_000, -1_000, -1, 0, 1, 1_000, 900_000})
    void fencesRiseAcrossAllWhoUseOneStoreOrBoth(long microsAhead) {
        ClockedStore old = new ClockedStore(time, Duration.ofNanos(1_000 * microsAhead));
        ClockedStore next = new ClockedStore(time, Duration.ZERO);
        MigratingStore both = MigratingStore.of(old, next, Duration.ofHours(1), time);
        Random random = new Random(microsAhead);
        Key key = Trial.key();

        long last = risesAmong(List.of(old, both), key, 0, random);
        // Between who uses the old one alone and who uses the next one alone there is a stage of the deployment.
        time.pause(Duration.ofSeconds(1));
        risesAmong(List.of(both, next), key, last, random);
    }

    private long risesAmong(List<Store> stores, Key key, long from, Random random) {
        long last = from;
        for (int i = 0; i < 100; i++) {
            Store store = stores.get(random.nextInt(2));
            String holder = "holder-" + random.nextLong();
            long fence = Trial.granted(store, key, holder).fence();
            assertThat(fence).as("grant %s by %s", i, store).isGreaterThan(last);
            last = fence;
            Settlement end = random.nextBoolean() ? new Settlement.Release() : new Settlement.Renew(Duration.ZERO);
            assertThat(store.settle(key, holder, fence, end)).isTrue();
        }
        return last;
    }

    @Test
    void clocksFurtherApartThanASecondAreRefusedAndNothingIsClaimed() {
        for (Duration ahead : List.of(Duration.ofMillis(1_001), Duration.ofMillis(-1_001))) {
            ClockedStore old = new ClockedStore(time, ahead);
            ClockedStore next = new ClockedStore(time, Duration.ZERO);
            Key key = Trial.key();

            assertThatThrownBy(() -> Trial.claim(MigratingStore.of(old, next, Duration.ZERO, time), key))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Synchronise the clocks");
            assertThat(old.peek(key)).isEmpty();
            assertThat(next.peek(key)).isEmpty();
        }
    }

    @Test
    void aStoreWhoseFencesAreNoTimesIsRefusedBesideOneWhoseFencesAre() {
        Store memory = new MemoryStore(1 << 20, time);
        Store clocked = new ClockedStore(time, Duration.ZERO);

        assertThatThrownBy(() -> Trial.claim(MigratingStore.of(memory, clocked, Duration.ZERO, time), Trial.key()))
                .isInstanceOf(StoreException.class);
    }
}
