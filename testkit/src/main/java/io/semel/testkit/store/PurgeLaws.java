// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_REMEMBRANCE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Race;
import io.semel.testkit.internal.laws.WhereCapable;
import io.semel.testkit.internal.laws.Wish;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Purging drops what is over and nothing else (S3, S5, S6). */
interface PurgeLaws {

    @WhereCapable
    @Law({"S2", "S3", "S5", "S6"})
    default void nothingThatIsYoungOrClaimedIsPurged(Bench bench, Purgeable purgeable) {
        complete(bench, "unending", Retention.UNENDING);
        bench.granted(bench.call(bench.key("abandoned long ago")), "abandoned long ago");
        bench.elapse(Duration.ofDays(400));
        complete(bench, "gone", KEPT);
        bench.elapse(OVER_RETENTION);
        bench.granted(bench.call(bench.key("lapsed")), "lapsed");
        bench.elapse(OVER_LEASE);
        complete(bench, "settled", KEPT);
        bench.granted(bench.call(bench.key("held")), "held");
        List<Key> keys = Stream.of("unending", "abandoned long ago", "gone", "lapsed", "settled", "held")
                .map(bench::key)
                .toList();
        List<Optional<Claim>> before = keys.stream().map(bench.store()::peek).toList();

        purgeAll(purgeable);

        for (int i = 0; i < keys.size(); i++) {
            Expect.same(before.get(i), bench.store().peek(keys.get(i)));
        }
        assertTrue(bench.settle(bench.key("held"), "held", Wish.COMPLETE.settlement()));
        assertTrue(bench.granted(bench.call(bench.key("lapsed")), "another").abandoned());
    }

    @WhereCapable
    @Law("S6")
    default void purgingDropsResultsAtTheEndOfRetentionAndKeysAtTheEndOfRemembrance(Bench bench, Purgeable purgeable) {
        purgeAll(purgeable);
        bench.done(DONE, KEPT);
        bench.elapse(OVER_RETENTION);
        assertTrue(purgeAll(purgeable) >= 1, "the result is dropped");
        bench.gone();
        bench.elapse(OVER_REMEMBRANCE.minus(OVER_RETENTION));
        assertTrue(purgeAll(purgeable) >= 1, "the key is dropped");

        Expect.free(bench.peek());
        assertFalse(bench.granted(bench.otherCall(), "second").abandoned());
    }

    @WhereCapable
    @Law("S6")
    default void purgingStopsAtItsLimitAndSaysWhenNothingIsLeft(Bench bench, Purgeable purgeable) {
        purgeAll(purgeable);
        for (int i = 0; i < 10; i++) {
            complete(bench, "key " + i, KEPT);
        }
        bench.elapse(OVER_REMEMBRANCE);

        assertEquals(0, purgeable.purge(0));
        int first = purgeable.purge(4);
        assertEquals(4, first, "a batch that comes back short says that nothing is left");
        int rest = purgeAll(purgeable);
        assertTrue(first + rest >= 10, () -> first + " and then " + rest + " of 10 are purged");
        assertEquals(0, purgeable.purge(100));
    }

    @WhereCapable
    @Law("S7")
    default void purgingForgetsNoFenceOfASlotJustReleased(Bench bench, Purgeable purgeable) {
        long fence = bench.granted("first").fence();
        bench.release("first");
        purgeAll(purgeable);

        assertTrue(bench.granted("second").fence() > fence);
    }

    @WhereCapable
    @Law({"S4", "S5"})
    default void purgingWhileOthersAreAtItLosesNothing(Bench bench, Purgeable purgeable) {
        Bench elsewhere = bench.elsewhere();
        for (int round = 0; round < 10; round++) {
            String name = "round " + round + ", key ";
            for (int i = 0; i < 12; i++) {
                complete(bench, name + i, KEPT);
            }
            bench.elapse(OVER_REMEMBRANCE);

            Race.of(3, caller -> () -> {
                for (int i = 0; i < 6; i++) {
                    if (caller == 2) {
                        purgeable.purge(100);
                    } else {
                        live(elsewhere, elsewhere.call(bench.key(name + (2 * i + caller))));
                    }
                }
                return caller;
            });
            for (int i = 0; i < 12; i++) {
                Expect.answer(Expect.bytes("new"), bench.retry(bench.call(bench.key(name + i))));
            }
        }
    }

    /** A whole life on a key that a purge may be about to drop. */
    private static void live(Bench bench, Call call) {
        String holder = "new " + call.key().id();
        assertFalse(bench.granted(call, holder).abandoned());
        Expect.held(bench.retry(call));
        assertTrue(bench.settle(call.key(), holder, new Settlement.Complete(Expect.bytes("new"), KEPT)));
    }

    /** As often as there is something to purge, and how much that was. */
    private static int purgeAll(Purgeable purgeable) {
        int all = 0;
        for (int round = 0; round < 100_000; round++) {
            int purged = purgeable.purge(500);
            if (purged == 0) {
                return all;
            }
            assertTrue(purged > 0 && purged <= 500, () -> purged + " of at most 500 are purged");
            all += purged;
        }
        throw new AssertionError("purging never comes to an end");
    }

    private static void complete(Bench bench, String id, Retention retention) {
        bench.granted(bench.call(bench.key(id)), id);
        assertTrue(bench.settle(bench.key(id), id, new Settlement.Complete(DONE, retention)));
    }
}
