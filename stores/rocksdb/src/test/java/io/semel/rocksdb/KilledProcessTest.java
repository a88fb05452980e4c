// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Inspectable.View;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A process is killed at random points, again and again on one directory; what it had said is all there (S11, S7). */
class KilledProcessTest {

    /** For long runs: -Dtest.jvm.more=-Dsemel.kill.rounds=1000 */
    private static final int ROUNDS = Integer.getInteger("semel.kill.rounds", 8);

    /** And all of them in the end; else thousands of rounds would mostly look at what earlier ones have looked at. */
    private static final int LOOKED_AT_AGAIN = 2_000;

    private final Path directory = Directories.fresh();
    private final Random random = new Random();
    private final List<String> settled = new ArrayList<>();
    private long highestFence;

    @Test
    void whatWasAcknowledgedSurvivesEveryKill() {
        for (int round = 0; round < ROUNDS; round++) {
            int before = settled.size();
            List<String> said = liveAndDie(random.nextInt(400));
            try (RocksStore store = RocksStore.open(directory)) {
                check(store, said);
                settled.subList(Math.max(0, before - LOOKED_AT_AGAIN), settled.size())
                        .forEach(id -> expectAnswer(store, Victim.key(id)));
            }
        }
        assertThat(settled).doesNotHaveDuplicates().isNotEmpty();
        try (RocksStore store = RocksStore.open(directory)) {
            settled.forEach(id -> expectAnswer(store, Victim.key(id)));
            expectCountsToAgree(store);
        }
        Directories.delete(directory);
    }

    private List<String> liveAndDie(int lines) {
        List<String> said = new ArrayList<>();
        try (Child child = new Child(Victim.class, directory)) {
            for (int i = 0; i <= lines; i++) {
                said.add(child.hear());
            }
            said.addAll(child.kill());
        }
        return said;
    }

    private void check(RocksStore store, List<String> said) {
        Set<String> claimed = new HashSet<>();
        for (String line : said) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "claimed" -> {
                    long fence = Long.parseLong(words[2]);
                    highestFence = Math.max(highestFence, fence);
                    if (Victim.isKept(fence)) {
                        claimed.add(words[1]);
                    }
                }
                case "settled" -> settled.add(words[1]);
                default -> throw new AssertionError(line);
            }
        }
        claimed.forEach(id -> expectTaken(store, Victim.key(id)));
        expectHigherFence(store);
        if (settled.size() < LOOKED_AT_AGAIN) {
            expectCountsToAgree(store);
        }
    }

    private static void expectTaken(RocksStore store, Key key) {
        assertThat(store.claim(Victim.call(key), "retry", Victim.LEASE)).isNotInstanceOf(Claim.Granted.class);
    }

    private static void expectAnswer(RocksStore store, Key key) {
        Claim claim = store.claim(Victim.call(key), "retry", Victim.LEASE);
        assertThat(claim).isInstanceOf(Claim.Settled.class);
        assertThat(((Claim.Settled) claim).result()).isEqualTo(Victim.result(key));
    }

    private void expectHigherFence(RocksStore store) {
        Key key = Victim.key("after the kill");
        long fence = ((Claim.Granted) store.claim(Victim.call(key), "heir", Victim.LEASE)).fence();
        assertThat(fence).isGreaterThan(highestFence);
        assertThat(store.settle(key, "heir", fence, new Settlement.Release())).isTrue();
    }

    private static void expectCountsToAgree(RocksStore store) {
        List<Slot> all = new ArrayList<>();
        String cursor = null;
        do {
            var page = store.page(View.OLDEST, cursor, 500);
            all.addAll(page.slots());
            cursor = page.next();
        } while (cursor != null);
        assertThat(store.count().settled())
                .isEqualTo(all.stream()
                        .filter(slot -> slot.state() == Slot.State.SETTLED)
                        .count());
        assertThat(store.count().held())
                .isEqualTo(all.stream()
                        .filter(slot -> slot.state() == Slot.State.HELD)
                        .count());
    }
}
