// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.ASKED;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.PART_OF_LEASE;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Free slots are granted once, held slots are not granted (S1, S2). */
interface ClaimLaws {

    @Test
    @Law("S1")
    default void aFreeSlotIsGranted(Bench bench) {
        assertFalse(bench.granted("first").abandoned(), "nobody had it before");
    }

    @Test
    @Law("S1")
    default void aGrantedSlotIsGrantedToNobodyElse(Bench bench) {
        bench.granted("first");

        bench.held("second");
        bench.elsewhere().held("third");
    }

    @Test
    @Law("S1")
    default void everyKeyHasASlotOfItsOwn(Bench bench) {
        bench.granted(bench.call(bench.key("a")), "first");

        assertFalse(bench.granted(bench.call(bench.key("b")), "second").abandoned());
    }

    @Test
    @Law("S2")
    default void whoeverComesSecondIsToldHowLongItIsHeld(Bench bench) {
        bench.granted("first");

        Expect.about(LEASE, bench.held("second").remaining());
        Expect.about(LEASE, bench.elsewhere().held("third").remaining());
    }

    @Test
    @Law("S2")
    default void aLeaseThatCannotBeCountedIsRefused(Bench bench) {
        for (Duration lease : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(366), Retention.FOREVER)) {
            assertThrows(IllegalArgumentException.class, () -> bench.claim(bench.call(), bench.token("first"), lease));
        }
        assertFalse(bench.granted("second").abandoned(), "nobody had it before");
    }

    @Test
    @Law("S4")
    default void aHolderThatCouldBeTakenForAnotherIsRefused(Bench bench) {
        for (String token : List.of("", "x".repeat(65), "a-h\u00f6lder")) {
            assertThrows(IllegalArgumentException.class, () -> bench.claim(bench.call(), token, LEASE));
        }
        assertFalse(bench.granted("first").abandoned(), "nobody had it before");
    }

    @Test
    @Law("S2")
    default void theTimeRemainingShrinks(Bench bench) {
        bench.granted("first");
        bench.elapse(PART_OF_LEASE);

        Expect.about(LEASE.minus(PART_OF_LEASE), bench.held("second").remaining());
    }

    @Test
    @Law("S2")
    default void anotherRequestIsToldTheFingerprintOfTheFirst(Bench bench) {
        bench.granted("first");

        Claim.Held told = bench.held(bench.otherCall(), "second");

        assertEquals(ASKED, told.fingerprint());
        Expect.about(LEASE, told.remaining());
    }

    @Test
    @Law("S2")
    default void askingInVainDoesNotProlongTheLease(Bench bench) {
        bench.granted("first");
        bench.elapse(PART_OF_LEASE);
        bench.held("second");
        bench.held(bench.otherCall(), "third");
        bench.elapse(LEASE.minus(PART_OF_LEASE).plusMinutes(5));

        bench.granted("fourth");
    }

    @Test
    @Law({"S2", "S4"})
    default void askingInVainTakesNothingFromTheHolder(Bench bench) {
        bench.granted("first");
        bench.held("second");
        bench.held(bench.otherCall(), "third");

        bench.complete("first", DONE);
        bench.answers(DONE);
    }

    @Test
    @Law("S2")
    default void aLeaseMayTakeWeeks(Bench bench) {
        Expect.granted(bench.store().claim(bench.call(), bench.token("first"), Duration.ofDays(30)));
        bench.elapse(Duration.ofDays(29));

        Expect.about(Duration.ofDays(1), bench.held("second").remaining());
    }

    @Test
    @Law({"S2", "S3"})
    default void theShortestLeaseRunsOut(Bench bench) {
        Expect.granted(bench.store().claim(bench.call(), bench.token("first"), Duration.ofNanos(1)));
        bench.elapse(Duration.ofMinutes(1));

        bench.granted("second");
        Expect.about(LEASE, bench.held("third").remaining());
    }
}
