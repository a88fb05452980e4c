// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.store.Claim;
import io.semel.testkit.ManualTime;
import io.semel.time.KeyTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The machine's clock jumps far ahead and is set right again, while the store is open and between two runs. */
class ClockJumpTest {

    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    private static final Duration JUMP = Duration.ofDays(30);
    private static final Operation DATED = Operation.named("charge")
            .keyTime(KeyTime.UUID_V7, Duration.ofMinutes(5))
            .retention(Duration.ofDays(1), Duration.ofDays(1));

    private final ManualTime time = new ManualTime();
    private final Path directory = Directories.fresh();
    private Instant wall = NOON;
    private int effects;

    @AfterEach
    void clean() {
        Directories.delete(directory);
    }

    @Test
    void datedKeysRunAgainAsSoonAsAClockThatWasAheadIsSetRight() {
        wall = NOON.plus(JUMP);
        try (RocksStore store = open()) {
            assertThat(run(store, dated(wall))).isInstanceOf(Outcome.Done.class);
        }
        wall = NOON;
        try (RocksStore store = open()) {
            assertThat(store.now()).isEqualTo(NOON);
            assertThat(run(store, dated(NOON))).isInstanceOf(Outcome.Done.class);
        }
    }

    @Test
    void aClockThatIsSetRightWhileTheStoreIsOpenIsFollowed() {
        wall = NOON.plus(JUMP);
        try (RocksStore store = open()) {
            wall = NOON;
            assertThat(run(store, dated(NOON))).isInstanceOf(Outcome.Done.class);
            wall = NOON.plus(JUMP);
            assertThat(run(store, dated(wall))).isInstanceOf(Outcome.Done.class);
        }
    }

    @Test
    void aJumpAheadBetweenTwoRunsEndsNoRetention() {
        Call dated = dated(NOON);
        Call plain = Call.of(Key.of("jump", "plain"), Fingerprint.of("asked"));
        try (RocksStore store = open()) {
            run(store, dated);
            run(store, plain);
        }
        for (Instant next : new Instant[] {NOON.plus(JUMP), NOON.plus(Duration.ofMinutes(1))}) {
            wall = next;
            try (RocksStore store = open()) {
                assertThat(store.purge(100)).isZero();
                assertThat(run(store, plain)).isEqualTo(new Outcome.Done<>("done", true));
                assertThat(run(store, dated)).isEqualTo(new Outcome.Done<>("done", true));
            }
        }
        assertThat(effects).isEqualTo(2);
    }

    @Test
    void aJumpAheadWhileTheStoreIsOpenEndsNeitherLeaseNorRetention() {
        try (RocksStore store = open()) {
            run(store, dated(NOON));
            claim(store, "held");
            wall = NOON.plus(JUMP);

            assertThat(store.purge(100)).isZero();
            assertThat(store.peek(Victim.key("held")))
                    .hasValueSatisfying(claim ->
                            assertThat(((Claim.Held) claim).remaining()).isEqualTo(Victim.LEASE));
        }
    }

    @Test
    void fencesRiseThroughAllOfIt() {
        long last = 0;
        for (Instant next : new Instant[] {NOON, NOON.plus(JUMP), NOON, NOON.minus(JUMP), NOON}) {
            wall = next;
            try (RocksStore store = open()) {
                long fence = claim(store, "key-" + last);
                assertThat(fence).isGreaterThan(last);
                last = fence;
            }
        }
    }

    @Test
    void aSmallStepBackIsNotFollowed() {
        try (RocksStore store = open()) {
            assertThat(store.now()).isEqualTo(NOON);
            wall = NOON.minusSeconds(60);
            assertThat(store.now()).isEqualTo(NOON);
            claim(store, "key");
        }
        try (RocksStore store = open()) {
            assertThat(store.now()).isEqualTo(NOON);
        }
    }

    private RocksStore open() {
        return new RocksStore(directory, RocksOptions.DEFAULT, time, () -> wall);
    }

    private Outcome<String> run(RocksStore store, Call call) {
        return Engine.on(store, time).with(DATED).run(call, Codec.utf8(), attempt -> {
            effects++;
            return "done";
        });
    }

    /** A version 7 UUID of that moment. */
    private static Call dated(Instant when) {
        UUID id = new UUID(when.toEpochMilli() << 16 | 0x7000, 0x8000_0000_0000_0000L | System.nanoTime());
        return Call.of(Key.of("jump", id.toString()), Fingerprint.of("asked"));
    }

    private static long claim(RocksStore store, String id) {
        return ((Claim.Granted) store.claim(Victim.call(Victim.key(id)), "holder", Victim.LEASE)).fence();
    }
}
