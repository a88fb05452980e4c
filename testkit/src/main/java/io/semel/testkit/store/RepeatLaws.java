// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.PART_OF_LEASE;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A holder whose claim was answered into the void asks again (S13). */
interface RepeatLaws {

    @Test
    @Law("S13")
    default void aClaimRepeatedByItsHolderGetsTheSameGrant(Bench bench) {
        Claim.Granted granted = bench.granted("first");

        assertEquals(granted, bench.granted("first"));
        assertEquals(granted, bench.elsewhere().granted("first"));
    }

    @Test
    @Law("S13")
    default void aRepeatedClaimIsToldAgainThatItsSlotWasAbandoned(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        Claim.Granted granted = bench.granted("second");

        assertEquals(granted, bench.granted("second"));
        assertTrue(granted.abandoned());
    }

    @Test
    @Law("S13")
    default void aRepeatedClaimStartsItsLeaseAgain(Bench bench) {
        bench.granted("first");
        bench.elapse(PART_OF_LEASE);
        bench.granted("first");

        Expect.about(LEASE, bench.held("second").remaining());
    }

    @Test
    @Law("S13")
    default void aRepeatedClaimMayAskForAShorterLease(Bench bench) {
        bench.granted("first");
        Expect.granted(bench.store().claim(bench.call(), bench.token("first"), Duration.ofMinutes(5)));

        Expect.about(Duration.ofMinutes(5), bench.held("second").remaining());
    }

    @Test
    @Law("S13")
    default void aLapsedHolderThatNobodyReplacedGetsTheSameGrant(Bench bench) {
        Claim.Granted granted = bench.granted("first");
        bench.elapse(OVER_LEASE);

        assertEquals(granted, bench.granted("first"));
        Expect.about(LEASE, bench.held("second").remaining());
    }

    @Test
    @Law({"S13", "S2"})
    default void aHolderThatWasReplacedIsToldHeld(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.granted("second");

        Expect.about(LEASE, bench.held("first").remaining());
        bench.complete("second", Expect.bytes("by the second"));
    }

    @Test
    @Law({"S13", "S5"})
    default void aHolderThatCompletedIsToldItsOwnResult(Bench bench) {
        bench.granted("first");
        bench.complete("first", DONE);

        Expect.answer(DONE, bench.claim(bench.call(), "first"));
    }

    @Test
    @Law({"S13", "S7"})
    default void aHolderThatReleasedGetsANewGrant(Bench bench) {
        long fence = bench.granted("first").fence();
        bench.release("first");
        Claim.Granted again = bench.granted("first");

        assertFalse(again.abandoned());
        assertTrue(again.fence() > fence);
    }
}
