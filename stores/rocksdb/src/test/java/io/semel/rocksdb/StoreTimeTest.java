// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.rocksdb.internal.write.StoreClock;
import io.semel.store.Claim;
import io.semel.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The store's time and fences go back for no clock (S7, S8). */
class StoreTimeTest {

    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final ManualTime time = new ManualTime();
    private final Path directory = Directories.fresh();

    @AfterEach
    void clean() {
        Directories.delete(directory);
    }

    @Test
    void aClockSetBackBetweenTwoRunsTurnsNeitherLeasesNorFencesBack() {
        long fence;
        try (RocksStore store = open(NOON)) {
            time.pause(Duration.ofHours(1));
            fence = claim(store, "first");
        }
        try (RocksStore store = open(NOON.minus(Duration.ofDays(1)))) {
            assertThat(remaining(store, "first")).isEqualTo(Victim.LEASE);
            assertThat(claim(store, "second")).isGreaterThan(fence);
            time.pause(Duration.ofMinutes(5));
            assertThat(remaining(store, "first")).isEqualTo(Victim.LEASE.minusMinutes(5));
        }
    }

    @Test
    void timeThatPassedBetweenTwoRunsCounts() {
        try (RocksStore store = open(NOON)) {
            claim(store, "key");
        }
        Instant later = NOON.plus(Duration.ofMinutes(30));
        try (RocksStore store = open(later)) {
            assertThat(store.now()).isEqualTo(later);
            Claim told = store.claim(Victim.call(Victim.key("key")), "other", Victim.LEASE);
            assertThat(((Claim.Held) told).remaining()).isEqualTo(Duration.ofMinutes(30));
        }
    }

    @Test
    void atMostAnHourIsTakenToHavePassedBetweenTwoRuns() {
        try (RocksStore store = open(NOON)) {
            claim(store, "key");
        }
        try (RocksStore store = open(NOON.plus(Duration.ofDays(365)))) {
            assertThat(remaining(store, "key")).isEqualTo(Victim.LEASE.minus(StoreClock.TRUSTED));
        }
    }

    private static Duration remaining(RocksStore store, String id) {
        return ((Claim.Held) store.peek(Victim.key(id)).orElseThrow()).remaining();
    }

    private RocksStore open(Instant wall) {
        return new RocksStore(directory, RocksOptions.DEFAULT, time, () -> wall);
    }

    private static long claim(RocksStore store, String id) {
        return ((Claim.Granted) store.claim(Victim.call(Victim.key(id)), "holder", Victim.LEASE)).fence();
    }
}
