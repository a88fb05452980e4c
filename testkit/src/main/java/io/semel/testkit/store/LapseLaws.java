// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.ASKED;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of a slot whose holder fell silent (S3). */
interface LapseLaws {

    @Test
    @Law("S3")
    default void aLapsedSlotIsGrantedAgainAsAbandoned(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);

        assertTrue(bench.granted("second").abandoned(), "whoever takes over is told so");
    }

    @Test
    @Law("S3")
    default void aLapsedSlotIsGrantedAgainInAnotherProcess(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);

        assertTrue(bench.elsewhere().granted("second").abandoned());
        bench.held("third");
    }

    @Test
    @Law({"S3", "S7"})
    default void theFenceRisesWhenALapsedSlotIsGrantedAgain(Bench bench) {
        long first = bench.granted("first").fence();
        bench.elapse(OVER_LEASE);

        assertTrue(bench.granted("second").fence() > first);
    }

    @Test
    @Law("S3")
    default void anotherRequestIsToldThatALapsedSlotIsHeldWithNothingRemaining(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);

        Claim.Held told = bench.held(bench.otherCall(), "second");

        assertEquals(ASKED, told.fingerprint());
        assertEquals(Duration.ZERO, told.remaining());
    }

    @Test
    @Law("S3")
    default void anotherRequestDoesNotSpoilALapsedSlotForTheSame(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.held(bench.otherCall(), "second");

        assertTrue(bench.granted("third").abandoned());
    }

    @Test
    @Law({"S2", "S3"})
    default void whoeverTakesOverHasALeaseOfItsOwn(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.granted("second");

        Expect.about(LEASE, bench.held("third").remaining());
    }

    @Test
    @Law("S3")
    default void aSlotMayBeAbandonedAgainAndAgain(Bench bench) {
        long fence = bench.granted("first").fence();
        for (String holder : new String[] {"second", "third", "fourth"}) {
            bench.elapse(OVER_LEASE);
            Claim.Granted granted = bench.granted(holder);
            assertTrue(granted.abandoned());
            assertTrue(granted.fence() > fence);
            fence = granted.fence();
        }
    }

    @Test
    @Law("S3")
    default void aSlotTakenOverIsCompletedLikeAnyOther(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.granted("second");
        bench.complete("second", Expect.bytes("by the second"));

        bench.answers(Expect.bytes("by the second"));
    }

    @Test
    @Law({"S3", "S4"})
    default void aSlotTakenOverAndReleasedIsNoLongerAbandoned(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.granted("second");
        bench.release("second");

        assertFalse(bench.granted("third").abandoned());
    }

    @Test
    @Law("S3")
    default void anAbandonedSlotIsNeverForgotten(Bench bench) {
        bench.granted("first");
        bench.elapse(Duration.ofDays(400));

        assertEquals(Duration.ZERO, bench.held(bench.otherCall(), "second").remaining());
        assertTrue(bench.granted("third").abandoned());
    }
}
