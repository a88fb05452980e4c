// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OTHER;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import org.junit.jupiter.api.Test;

/** What did not happen leaves nothing behind but its fence (S4, S7). */
interface ReleaseLaws {

    @Test
    @Law("S4")
    default void aReleasedSlotMayBeClaimedAgain(Bench bench) {
        bench.granted("first");
        bench.release("first");

        assertFalse(bench.granted("second").abandoned(), "what was released was not abandoned");
        Expect.about(LEASE, bench.elsewhere().held("third").remaining());
    }

    @Test
    @Law("S4")
    default void aReleasedSlotIsFreeForAnyRequest(Bench bench) {
        bench.granted("first");
        bench.release("first");

        assertFalse(bench.granted(bench.otherCall(), "second").abandoned());
        assertEquals(OTHER, bench.held("third").fingerprint());
    }

    @Test
    @Law("S4")
    default void aReleasedSlotIsFreeInEveryProcess(Bench bench) {
        Bench elsewhere = bench.elsewhere();
        bench.granted("first");
        elsewhere.held("second");
        bench.release("first");

        Expect.free(elsewhere.peek());
        assertFalse(elsewhere.granted("second").abandoned());
    }

    @Test
    @Law("S4")
    default void aLapsedHolderMayReleaseAndLeavesNothingAbandoned(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.release("first");

        assertFalse(bench.granted(bench.otherCall(), "second").abandoned());
    }

    @Test
    @Law({"S4", "S5"})
    default void aSlotMayBeReleasedClaimedAndCompleted(Bench bench) {
        bench.granted("first");
        bench.release("first");
        bench.granted("second");

        assertFalse(bench.settle("first", new Settlement.Complete(Expect.bytes("by the first"), KEPT)));
        bench.complete("second", Expect.bytes("by the second"));
        bench.answers(Expect.bytes("by the second"));
    }
}
