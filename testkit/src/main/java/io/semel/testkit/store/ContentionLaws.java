// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.LEASE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Race;
import io.semel.testkit.internal.laws.Wish;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many callers that stay at it: no slot has two holders, no batch waits for another (S1, S4, S7). */
interface ContentionLaws {

    @Test
    @Law({"S1", "S7"})
    default void fencesRiseInTheOrderInWhichASlotIsGranted(Bench bench) {
        List<Bench> handles = List.of(bench, bench.elsewhere());
        List<Long> fences = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger inside = new AtomicInteger();

        Race.of(Race.RUNNERS, i -> () -> {
            for (int turn = 0; turn < Race.ROUNDS; turn++) {
                takeTurn(handles.get(i % 2), i + "." + turn, fences, inside);
            }
            return null;
        });

        for (int i = 1; i < fences.size(); i++) {
            assertTrue(fences.get(i) > fences.get(i - 1), "fences rise: " + fences);
        }
        assertTrue(fences.size() > 1, "somebody gets the slot");
    }

    private static void takeTurn(Bench bench, String holder, List<Long> fences, AtomicInteger inside) {
        if (bench.claim(bench.call(), holder) instanceof Claim.Granted granted) {
            assertEquals(1, inside.incrementAndGet(), "nobody else is inside");
            fences.add(granted.fence());
            inside.decrementAndGet();
            bench.release(holder);
        }
    }

    @Test
    @Law("S1")
    default void batchesThatCrossEachOtherGetEveryKeyOnce(Bench bench) {
        List<Bench> handles = List.of(bench, bench.elsewhere());
        for (int round = 0; round < 10; round++) {
            List<Key> keys = keys(bench, "round " + round);

            List<List<Key>> taken = Race.of(4, i -> () -> take(handles.get(i % 2), turned(keys, i), "caller " + i));

            List<Key> all = taken.stream().flatMap(List::stream).toList();
            assertEquals(keys.size(), all.size(), "as many grants as keys");
            assertEquals(Set.copyOf(keys), Set.copyOf(all));
        }
    }

    private static List<Key> take(Bench bench, List<Key> keys, String holder) {
        List<Claiming> claimings = keys.stream()
                .map(key -> new Claiming(bench.call(key), bench.token(holder + key.id()), LEASE))
                .toList();
        List<Claim> answers = bench.claimAll(claimings);
        return IntStream.range(0, keys.size())
                .filter(i -> answers.get(i) instanceof Claim.Granted)
                .mapToObj(keys::get)
                .toList();
    }

    @Test
    @Law("S4")
    default void batchesOfRenewalsThatCrossEachOtherAllApply(Bench bench) {
        List<Bench> handles = List.of(bench, bench.elsewhere());
        List<Key> keys = keys(bench, "one of many");
        assertEquals(keys, take(bench, keys, "holder"));

        for (int round = 0; round < 10; round++) {
            Race.of(4, i -> () -> handles.get(i % 2).store().settleAll(renewals(bench, turned(keys, i))))
                    .forEach(applied -> assertEquals(Collections.nCopies(keys.size(), true), applied));
        }
    }

    private static List<Settling> renewals(Bench bench, List<Key> keys) {
        return keys.stream()
                .map(key -> bench.settling(key, bench.token("holder" + key.id()), Wish.RENEW.settlement()))
                .toList();
    }

    private static List<Key> keys(Bench bench, String name) {
        return IntStream.range(0, Race.ROUNDS)
                .mapToObj(i -> bench.key(name + "." + i))
                .toList();
    }

    /** The keys, backwards for every other caller, so that callers who lock one after the other meet. */
    private static List<Key> turned(List<Key> keys, int caller) {
        List<Key> turned = new ArrayList<>(keys);
        if (caller % 2 == 1) {
            Collections.reverse(turned);
        }
        return turned;
    }
}
