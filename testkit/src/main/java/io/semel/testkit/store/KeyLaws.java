// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Twins;
import io.semel.testkit.internal.laws.Wish;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys are exact: the same is the same, and everything else is something else (S10). */
interface KeyLaws {

    @ParameterizedTest
    @MethodSource("io.semel.testkit.internal.laws.Twins#all")
    @Law("S10")
    default void keysThatLookAlikeAreDifferent(Twins twins, Bench bench) {
        Key key = twins.first(bench.scope());
        Key twin = twins.second(bench.scope());

        differ(bench, key, twin);
    }

    private static void differ(Bench bench, Key key, Key twin) {
        bench.granted(bench.call(key), "first");
        Expect.free(bench.store().peek(twin));
        assertFalse(bench.settle(twin, "first", Wish.COMPLETE.settlement()), "the twin is not settled with it");
        bench.granted(bench.call(twin), "second");
        assertTrue(bench.settle(key, "first", new Settlement.Complete(Expect.bytes("of the first"), KEPT)));
        bench.held(bench.call(twin), "third");
        assertTrue(bench.settle(twin, "second", new Settlement.Complete(Expect.bytes("of its twin"), KEPT)));

        Expect.answer(Expect.bytes("of the first"), bench.retry(bench.call(key)));
        Expect.answer(Expect.bytes("of its twin"), bench.retry(bench.call(twin)));
    }

    @ParameterizedTest
    @MethodSource("io.semel.testkit.internal.laws.Twins#all")
    @Law("S10")
    default void equalKeysAreTheSame(Twins twins, Bench bench) {
        Key key = twins.second(bench.scope());
        bench.granted(bench.call(key), "first");
        Key equal = new Key(
                new String(key.scope().toCharArray()), new String(key.id().toCharArray()));

        Bench elsewhere = bench.elsewhere();
        elsewhere.held(bench.call(equal), "second");
        assertTrue(elsewhere.settle(equal, "first", new Settlement.Release()));
        Expect.free(bench.store().peek(key));
    }

    @Test
    @Law("S10")
    default void keysThatLookAlikeAreDifferentInOneBatch(Bench bench) {
        Set<Key> keys = new LinkedHashSet<>();
        for (Twins twins : Twins.all()) {
            keys.add(twins.first(bench.scope()));
            keys.add(twins.second(bench.scope()));
        }
        List<Store.Claiming> claimings = new ArrayList<>();
        List<Store.Settling> settlings = new ArrayList<>();
        for (Key key : keys) {
            String holder = bench.token("holder " + claimings.size());
            claimings.add(new Store.Claiming(bench.call(key), holder, LEASE));
        }

        bench.claimAll(claimings).forEach(Expect::granted);
        for (Store.Claiming claiming : claimings) {
            Key key = claiming.call().key();
            Settlement complete = new Settlement.Complete(Expect.bytes(key.id()), KEPT);
            settlings.add(bench.settling(key, claiming.holder(), complete));
        }
        assertEquals(
                List.copyOf(keys).stream().map(key -> true).toList(),
                bench.store().settleAll(settlings));
        List<Claim> answers = bench.store().claimAll(claimings);
        for (int i = 0; i < claimings.size(); i++) {
            Expect.answer(Expect.bytes(claimings.get(i).call().key().id()), answers.get(i));
        }
    }
}
