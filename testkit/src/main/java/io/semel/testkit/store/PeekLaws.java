// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.ASKED;
import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Bench.PART_OF_LEASE;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Wish;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A peek tells what a claim would be told, but takes nothing and writes nothing. */
interface PeekLaws {

    @Test
    @Law("S1")
    default void peekingTakesNoFreeSlot(Bench bench) {
        Expect.free(bench.peek());
        Expect.free(bench.elsewhere().peek());

        assertFalse(bench.granted(bench.otherCall(), "first").abandoned());
    }

    @Test
    @Law("S2")
    default void peekingAtAHeldSlotTellsWhatAClaimWouldBeTold(Bench bench) {
        bench.granted("first");

        Claim.Held told = Expect.held(Expect.known(bench.peek()));

        assertEquals(ASKED, told.fingerprint());
        Expect.about(LEASE, told.remaining());
    }

    @Test
    @Law("S2")
    default void peekingDoesNotProlongALease(Bench bench) {
        bench.granted("first");
        bench.elapse(PART_OF_LEASE);
        bench.peek();
        bench.elapse(LEASE.minus(PART_OF_LEASE).plusMinutes(5));

        bench.granted("second");
    }

    @Test
    @Law("S3")
    default void peekingAtALapsedSlotSaysHeldWithNothingRemaining(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);

        Claim.Held told = Expect.held(Expect.known(bench.peek()));

        assertEquals(ASKED, told.fingerprint());
        assertEquals(Duration.ZERO, told.remaining());
    }

    @Test
    @Law({"S3", "S4"})
    default void peekingTakesNoLapsedSlot(Bench bench) {
        bench.granted("first");
        bench.granted(bench.call(bench.key("another")), "another");
        bench.elapse(OVER_LEASE);
        bench.peek();
        bench.store().peek(bench.key("another"));

        assertTrue(bench.granted("second").abandoned());
        assertTrue(bench.settle(bench.key("another"), "another", Wish.COMPLETE.settlement()));
    }

    @Test
    @Law("S4")
    default void peekingAtAReleasedSlotSaysNothing(Bench bench) {
        bench.granted("first");
        bench.release("first");

        Expect.free(bench.peek());
    }

    @Test
    @Law({"S5", "S6"})
    default void peekingAtASettledSlotTellsItsResultUntilItIsGone(Bench bench) {
        bench.done(DONE, KEPT);
        Claim.Settled told = Expect.answer(DONE, Expect.known(bench.peek()));
        assertEquals(ASKED, told.fingerprint());
        Expect.about(KEPT.retention(), told.remaining());

        bench.elapse(OVER_RETENTION);
        Claim.Settled late = Expect.gone(Expect.known(bench.peek()));
        assertEquals(ASKED, late.fingerprint());
        Expect.about(Duration.ofMinutes(50), late.remaining());
    }
}
