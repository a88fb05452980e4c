// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.PART_OF_LEASE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a renewal does to a lease (S2, S3). */
interface RenewalLaws {

    @Test
    @Law("S2")
    default void aRenewedLeaseStartsAgain(Bench bench) {
        bench.granted("first");
        bench.elapse(PART_OF_LEASE);
        bench.renew("first", LEASE);

        Expect.about(LEASE, bench.held("second").remaining());
        bench.elapse(PART_OF_LEASE);
        bench.held("second");
    }

    @Test
    @Law({"S2", "S3"})
    default void aRenewalCountsFromNowNotFromTheEndOfTheLease(Bench bench) {
        bench.granted("first");
        bench.renew("first", LEASE);
        bench.elapse(OVER_LEASE);

        bench.granted("second");
    }

    @Test
    @Law("S2")
    default void aRenewalMayShortenTheLease(Bench bench) {
        bench.granted("first");
        bench.renew("first", Duration.ofMinutes(5));

        Expect.about(Duration.ofMinutes(5), bench.held("second").remaining());
    }

    @Test
    @Law("S2")
    default void aLeaseCanBeRenewedForDays(Bench bench) {
        bench.granted("first");
        for (int i = 0; i < 20; i++) {
            bench.elapse(PART_OF_LEASE);
            bench.held("second");
            bench.renew("first", LEASE);
        }
        bench.renew("first", Duration.ofDays(30));
        bench.elapse(Duration.ofDays(29));

        Expect.about(Duration.ofDays(1), bench.held("second").remaining());
    }

    @Test
    @Law({"S2", "S4"})
    default void aLapsedHolderThatNobodyReplacedMayReviveItsLease(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.renew("first", LEASE);

        Expect.about(LEASE, bench.held("second").remaining());
        bench.complete("first", Expect.bytes("late but unchallenged"));
        bench.answers(Expect.bytes("late but unchallenged"));
    }

    @Test
    @Law("S3")
    default void renewingByNothingGivesTheSlotUpAsAbandoned(Bench bench) {
        long fence = bench.granted("first").fence();
        bench.renew("first", Duration.ZERO);

        assertEquals(
                Duration.ZERO, bench.held(bench.otherCall(), "another request").remaining());
        Claim.Granted granted = bench.granted("second");
        assertTrue(granted.abandoned());
        assertTrue(granted.fence() > fence);
    }

    @Test
    @Law({"S3", "S4"})
    default void whoeverGaveItsSlotUpMayStillCompleteUntilItIsReplaced(Bench bench) {
        bench.granted("first");
        bench.renew("first", Duration.ZERO);

        bench.complete("first", Expect.bytes("after all"));
        bench.answers(Expect.bytes("after all"));
    }

    @Test
    @Law({"S7", "S13"})
    default void aRenewalKeepsTheGrant(Bench bench) {
        Claim.Granted granted = bench.granted("first");
        bench.renew("first", LEASE);

        assertEquals(granted, bench.granted("first"));
    }
}
