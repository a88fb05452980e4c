// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Inspectable.View;
import io.semel.store.Settlement;
import io.semel.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is over is counted as over at once, and leaves nothing behind once it is purged. */
class PurgeTest {

    private static final Retention HOUR = Retention.of(Duration.ofHours(1), Duration.ofHours(1));
    private static final Retention DAY = Retention.of(Duration.ofDays(1), Duration.ZERO);
    private static final int EACH = 700;

    private final ManualTime time = new ManualTime();
    private final Path directory = Directories.fresh();
    private final RocksStore store =
            new RocksStore(directory, RocksOptions.DEFAULT.async(), time, () -> Instant.parse("2026-06-01T12:00:00Z"));

    @AfterEach
    void clean() {
        store.close();
        Directories.delete(directory);
    }

    @Test
    void purgingShrinksThenForgetsAndLeavesNothing() {
        for (int i = 0; i < EACH; i++) {
            settle("hour " + i, HOUR);
            settle("day " + i, DAY);
        }
        expect(2 * EACH, 0);

        time.pause(Duration.ofMinutes(61));
        expect(EACH, EACH);
        assertThat(store.purge(Integer.MAX_VALUE)).isEqualTo(EACH);
        expect(EACH, EACH);

        time.pause(Duration.ofHours(1));
        expect(EACH, 0);
        assertThat(store.purge(Integer.MAX_VALUE)).isEqualTo(EACH);

        time.pause(Duration.ofDays(1));
        expect(0, 0);
        assertThat(store.purge(Integer.MAX_VALUE)).isEqualTo(EACH);
        assertThat(store.purge(Integer.MAX_VALUE)).isZero();
        assertThat(store.page(View.OLDEST, null, 10).slots()).isEmpty();
    }

    @Test
    void aKeyUsedAgainBeforeItWasPurgedIsNotPurged() {
        settle("key", HOUR);
        time.pause(Duration.ofHours(3));
        settle("key", DAY);

        assertThat(store.purge(10)).isZero();
        expect(1, 0);
    }

    @Test
    void whatWasNeverPurgedAtTheEndOfRetentionIsForgottenInOneStep() {
        settle("key", HOUR);
        time.pause(Duration.ofHours(3));

        assertThat(store.purge(10)).isEqualTo(1);
        assertThat(store.purge(10)).isZero();
    }

    private void settle(String id, Retention kept) {
        Key key = Victim.key(id);
        long fence = ((Claim.Granted) store.claim(Victim.call(key), "holder", Victim.LEASE)).fence();
        assertThat(store.settle(key, "holder", fence, new Settlement.Complete(Victim.result(key), kept)))
                .isTrue();
    }

    private void expect(int settled, int gone) {
        Counts counts = store.count();
        assertThat(counts.settled()).isEqualTo(settled);
        assertThat(counts.gone()).isEqualTo(gone);
    }
}
