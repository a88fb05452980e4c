// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The fence of a key only rises (S7). */
interface FenceLaws {

    @Test
    @Law("S7")
    default void theFenceRisesAfterARelease(Bench bench) {
        long first = bench.granted("first").fence();
        bench.release("first");

        assertTrue(bench.granted("second").fence() > first);
    }

    @Test
    @Law("S7")
    default void theFenceRisesAfterAReleaseInAnotherProcess(Bench bench) {
        long first = bench.granted("first").fence();
        bench.release("first");

        assertTrue(bench.elsewhere().granted(bench.otherCall(), "second").fence() > first);
    }

    @Test
    @Law("S7")
    default void theFenceOfAReleasedSlotIsRememberedForAWhile(Bench bench) {
        long first = bench.granted("first").fence();
        bench.release("first");
        bench.elapse(Duration.ofHours(1));

        assertTrue(bench.granted("second").fence() > first);
    }

    @Test
    @Law("S7")
    default void theFenceRisesThroughReleasesAndTakeovers(Bench bench) {
        Bench elsewhere = bench.elsewhere();
        long fence = bench.granted("holder 0").fence();
        for (int i = 1; i <= 12; i++) {
            if (i % 3 == 0) {
                bench.elapse(OVER_LEASE);
            } else {
                bench.release("holder " + (i - 1));
            }
            Claim.Granted granted = (i % 2 == 0 ? bench : elsewhere).granted("holder " + i);
            assertTrue(granted.fence() > fence, "grant " + i + " has a higher fence");
            fence = granted.fence();
        }
    }

    @Test
    @Law("S7")
    default void claimsToldHeldUseUpNothingThatGoesBackwards(Bench bench) {
        long first = bench.granted("first").fence();
        for (int i = 0; i < 5; i++) {
            bench.held("in vain " + i);
        }
        bench.elapse(OVER_LEASE);

        assertTrue(bench.granted("second").fence() > first);
    }
}
