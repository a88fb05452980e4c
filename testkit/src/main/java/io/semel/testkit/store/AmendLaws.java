// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.ASKED;
import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OTHER;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_REMEMBRANCE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Bench.PART_OF_RETENTION;
import static io.semel.testkit.internal.laws.Expect.AMENDED;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Settlement.Complete;
import io.semel.store.Settlement.Release;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Race;
import io.semel.testkit.internal.laws.WhereCapable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A settled result is replaced only by somebody who says which one it saw (S12). */
interface AmendLaws {

    @WhereCapable
    @Law("S12")
    default void anAmendmentReplacesTheResultThatWasSeen(Bench bench, Inspectable slots) {
        bench.done(DONE, Retention.UNENDING);

        assertTrue(slots.amend(bench.key(), DONE, new Complete(AMENDED, KEPT)));
        Claim.Settled told = bench.answers(AMENDED);
        assertEquals(ASKED, told.fingerprint());
        Expect.about(KEPT.retention(), told.remaining());
        bench.elsewhere().answers(AMENDED);
    }

    @WhereCapable
    @Law({"S5", "S12"})
    default void theRetentionOfAnAmendedResultCountsFromTheAmendment(Bench bench, Inspectable slots) {
        bench.done(DONE, KEPT);
        bench.elapse(PART_OF_RETENTION);
        assertTrue(slots.amend(bench.key(), DONE, new Complete(AMENDED, KEPT)));
        bench.elapse(PART_OF_RETENTION);

        bench.answers(AMENDED);
        bench.elapse(OVER_RETENTION.minus(PART_OF_RETENTION));
        bench.gone();
    }

    @WhereCapable
    @Law({"S12", "S7"})
    default void aSlotReleasedByAmendmentIsFreeForAnyRequest(Bench bench, Inspectable slots) {
        long fence = bench.granted("first").fence();
        bench.complete("first", DONE, Retention.UNENDING);

        assertTrue(slots.amend(bench.key(), DONE, new Release()));
        Expect.free(bench.peek());
        Claim.Granted granted = bench.granted(bench.otherCall(), "second");
        assertFalse(granted.abandoned());
        assertTrue(granted.fence() > fence);
        assertEquals(OTHER, bench.held("third").fingerprint());
    }

    @WhereCapable
    @Law("S12")
    default void whoeverSawAnotherResultAmendsNothing(Bench bench, Inspectable slots) {
        bench.done(DONE, KEPT);
        Optional<Claim> before = bench.peek();

        for (String seen : new String[] {"", "don", "done ", "DONE", "something else"}) {
            assertFalse(slots.amend(bench.key(), Expect.bytes(seen), new Complete(AMENDED, KEPT)), seen);
            assertFalse(slots.amend(bench.key(), Expect.bytes(seen), new Release()), seen);
        }
        Expect.same(before, bench.peek());
    }

    @WhereCapable
    @Law("S12")
    default void anEmptyResultCanBeAmendedToo(Bench bench, Inspectable slots) {
        bench.done(new byte[0], KEPT);

        assertTrue(slots.amend(bench.key(), new byte[0], new Complete(AMENDED, KEPT)));
        bench.answers(AMENDED);
    }

    @WhereCapable
    @Law("S12")
    default void whatIsNotSettledCannotBeAmended(Bench bench, Inspectable slots) {
        refusesToAmend(bench, slots, "nothing is known of it");
        Expect.free(bench.peek());
        bench.granted("first");
        refusesToAmend(bench, slots, "it is held");
        Expect.about(LEASE, bench.held("second").remaining());
        bench.elapse(OVER_LEASE);
        refusesToAmend(bench, slots, "it has lapsed");
        bench.complete("first", DONE);
    }

    @WhereCapable
    @Law({"S6", "S12"})
    default void whatHasExpiredCannotBeAmended(Bench bench, Inspectable slots) {
        bench.done(DONE, KEPT);
        bench.elapse(OVER_RETENTION);
        refusesToAmend(bench, slots, "its result is gone");
        bench.gone();
        bench.elapse(OVER_REMEMBRANCE.minus(OVER_RETENTION));
        refusesToAmend(bench, slots, "it is forgotten");
        Expect.free(bench.peek());
    }

    private static void refusesToAmend(Bench bench, Inspectable slots, String why) {
        for (byte[] seen : List.of(DONE, new byte[0], Expect.bytes(bench.token("first")))) {
            assertFalse(slots.amend(bench.key(), seen, new Complete(AMENDED, KEPT)), why);
            assertFalse(slots.amend(bench.key(), seen, new Release()), why);
        }
    }

    @WhereCapable
    @Law("S12")
    default void aSettledSlotHasNoLeaseToRenewByAmendment(Bench bench, Inspectable slots) {
        bench.done(DONE, KEPT);

        assertThrows(IllegalArgumentException.class, () -> slots.amend(bench.key(), DONE, new Settlement.Renew(LEASE)));
        bench.answers(DONE);
    }

    @WhereCapable
    @Law("S12")
    default void whoeverSpoilsTheArrayItAmendedWithSpoilsNothing(Bench bench, Inspectable slots) {
        bench.done(DONE, KEPT);
        byte[] mine = AMENDED.clone();
        assertTrue(slots.amend(bench.key(), DONE, new Complete(mine, KEPT)));
        Arrays.fill(mine, (byte) 0);

        bench.answers(AMENDED);
    }

    @WhereCapable
    @Law("S12")
    default void ofManyAmendmentsOfTheSameResultExactlyOneApplies(Bench bench, Inspectable slots) {
        for (int round = 0; round < Race.ROUNDS; round++) {
            Key key = bench.key("round " + round);
            bench.granted(bench.call(key), key.id());
            assertTrue(bench.settle(key, key.id(), new Complete(DONE, KEPT)));

            List<Boolean> applied = Race.of(Race.RUNNERS, i -> () -> slots.amend(key, DONE, by(i)));

            assertEquals(1, Collections.frequency(applied, true), () -> "applied in " + applied);
            Expect.answer(by(applied.indexOf(true)).result(), bench.retry(bench.call(key)));
        }
    }

    private static Complete by(int operator) {
        return new Complete(Expect.bytes("amended by " + operator), KEPT);
    }
}
