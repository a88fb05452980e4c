// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Settlement;
import io.semel.testkit.ManualTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many keys come and go, and the store is as small as before. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MemoryStoreGrowthTest {

    private static final int MILLION = 1_000_000;
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Retention HOUR = Retention.of(Duration.ofHours(1), Duration.ofHours(1));

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(1L << 30, time);

    @Test
    void aMillionKeysExpireAndLeaveNothing() {
        for (int i = 0; i < MILLION; i++) {
            live("key " + i, HOUR);
        }
        assertThat(store.count()).extracting(Counts::settled, Counts::gone).containsExactly((long) MILLION, 0L);
        long full = usedHeap();

        time.advance(Duration.ofHours(1));
        assertThat(purgeAll()).isEqualTo(MILLION);
        assertThat(store.count()).extracting(Counts::settled, Counts::gone).containsExactly(0L, (long) MILLION);
        time.advance(Duration.ofHours(1));
        assertThat(purgeAll()).isEqualTo(MILLION);

        assertThat(store.count()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0));
        assertThat(full - usedHeap()).as("heap given back, tables included").isGreaterThan(100L * MILLION);
    }

    @Test
    void keysThatComeAndGoAreSweptWithoutAPurge() {
        Retention seconds = Retention.of(Duration.ofSeconds(5), Duration.ofSeconds(5));
        long most = 0;
        for (int i = 0; i < MILLION; i++) {
            live("key " + i, seconds);
            time.pause(Duration.ofMillis(1));
            if (i % 10_000 == 0) {
                most = Math.max(most, store.count().bytes());
            }
        }
        long live = 10_000;
        assertThat(most).isLessThan(3 * live * 150);
    }

    /** Keys whose strings all have the same hash code, as a hostile client would send them. */
    @Test
    void keysChosenToCollideDoNot() {
        List<String> ids = new ArrayList<>(List.of(""));
        for (int length = 0; length < 16; length++) {
            List<String> longer = new ArrayList<>();
            for (String id : ids) {
                longer.add(id + "Aa");
                longer.add(id + "BB");
            }
            ids = longer;
        }
        assertThat(ids.stream().map(String::hashCode).distinct()).hasSize(1);

        // If they did, this would take hours.
        ids.forEach(id -> live(id, HOUR));

        assertThat(store.count().settled()).isEqualTo(1 << 16);
    }

    private void live(String id, Retention retention) {
        Key key = Key.of("scope", id);
        Claim claim = store.claim(Call.of(key, Fingerprint.none()), "a holder", LEASE);
        if (!(claim instanceof Claim.Granted granted)) {
            throw new AssertionError(key + " is not free but " + claim);
        }
        store.settle(key, "a holder", granted.fence(), new Settlement.Complete(new byte[8], retention));
    }

    private int purgeAll() {
        int all = 0;
        for (int purged = store.purge(100_000); purged > 0; purged = store.purge(100_000)) {
            all += purged;
        }
        return all;
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
