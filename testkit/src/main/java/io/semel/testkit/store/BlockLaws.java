// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.LEASE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Inspectable;
import io.semel.store.Inspectable.View;
import io.semel.store.Slot;
import io.semel.store.Store.Claiming;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Race;
import io.semel.testkit.internal.laws.WhereCapable;
import io.semel.testkit.internal.laws.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** While some wait for a key on which the store blocks, nobody waits for another (S14). */
interface BlockLaws {

    int OTHERS = 10;

    @Test
    @Law("S14")
    default void aKeyThatBlocksCostsNoOtherItsClaim(Bench bench) throws Exception {
        whileOneBlocks(bench, () -> {
            for (int i = 0; i < OTHERS; i++) {
                Key other = bench.key("fresh " + i);
                Race.soon(() -> bench.granted(bench.call(other), holder(other)));
            }
            List<Claiming> batch = IntStream.range(0, OTHERS)
                    .mapToObj(i -> new Claiming(bench.call(bench.key("batch " + i)), bench.token("batch " + i), LEASE))
                    .toList();
            Race.soon(() -> bench.claimAll(batch)).forEach(Expect::granted);
        });
    }

    @Test
    @Law("S14")
    default void aKeyThatBlocksCostsNoOtherItsRenewals(Bench bench) throws Exception {
        List<Key> others = claimed(bench);
        whileOneBlocks(bench, () -> {
            for (Key other : others) {
                assertTrue(Race.soon(() -> bench.settle(other, holder(other), Wish.RENEW.settlement())));
            }
            assertEquals(
                    others.stream().map(other -> true).toList(),
                    Race.soon(() -> bench.store()
                            .settleAll(others.stream()
                                    .map(other ->
                                            bench.settling(other, bench.token(holder(other)), Wish.RENEW.settlement()))
                                    .toList())));
        });
    }

    @Test
    @Law("S14")
    default void aKeyThatBlocksCostsNoOtherItsAnswer(Bench bench) throws Exception {
        List<Key> others = claimed(bench);
        whileOneBlocks(bench, () -> {
            for (Key other : others) {
                assertTrue(Race.soon(() -> bench.settle(other, holder(other), Wish.COMPLETE.settlement())));
                Expect.settled(Race.soon(() -> bench.retry(bench.call(other))));
            }
        });
    }

    @Test
    @Law("S14")
    default void aKeyThatBlocksHidesNoOther(Bench bench) throws Exception {
        List<Key> others = claimed(bench);
        whileOneBlocks(bench, () -> {
            for (Key other : others) {
                Expect.held(Expect.known(Race.soon(() -> bench.store().peek(other))));
            }
        });
    }

    @WhereCapable
    @Law("S14")
    default void aKeyThatBlocksHidesNothingFromOperators(Bench bench, Inspectable slots) throws Exception {
        List<Key> others = claimed(bench);
        whileOneBlocks(bench, () -> {
            for (Key other : others) {
                assertEquals(
                        Slot.State.HELD,
                        Race.soon(() -> slots.look(other)).orElseThrow().state());
            }
            assertTrue(Race.soon(slots::count).held() >= OTHERS);
            assertEquals(
                    OTHERS,
                    Race.soon(() ->
                            slots.page(View.IN_FLIGHT, null, OTHERS).slots().size()));
        });
    }

    private static List<Key> claimed(Bench bench) {
        List<Key> others = new ArrayList<>();
        for (int i = 0; i < OTHERS; i++) {
            Key other = bench.key("other " + i);
            bench.granted(bench.call(other), holder(other));
            others.add(other);
        }
        return others;
    }

    private static String holder(Key key) {
        return "of " + key.id();
    }

    /** With callers of every kind who wait for it, on the handle that the others use. */
    private static void whileOneBlocks(Bench bench, Others others) throws Exception {
        bench.granted("first");
        List<Future<?>> waiting = new ArrayList<>();
        AutoCloseable blocked = bench.blocked(bench.key());
        try {
            CountDownLatch asking = new CountDownLatch(3);
            waiting.add(asking(asking, () -> bench.retry(bench.call())));
            waiting.add(asking(asking, () -> bench.settle("first", Wish.RENEW.settlement())));
            waiting.add(asking(
                    asking,
                    () -> bench.store()
                            .settleAll(List.of(
                                    bench.settling(bench.key(), bench.token("first"), Wish.RENEW.settlement())))));
            asking.await();
            others.go();
        } finally {
            blocked.close();
        }
        for (Future<?> each : waiting) {
            awaitReturn(each);
        }
    }

    private static Future<?> asking(CountDownLatch asking, Callable<?> call) {
        return Race.start(() -> {
            asking.countDown();
            return call.call();
        });
    }

    /** Whoever waited in vain may be told that nobody knows (S9). */
    private static void awaitReturn(Future<?> waiting) throws Exception {
        try {
            waiting.get(2, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            assertInstanceOf(StoreException.class, e.getCause());
        }
    }

    /** What the others do meanwhile. */
    @FunctionalInterface
    interface Others {

        void go() throws Exception;
    }
}
