// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.ASKED;
import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_REMEMBRANCE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Bench.PART_OF_LEASE;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Slot;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Twins;
import io.semel.testkit.internal.laws.WhereCapable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What an operator sees of one key, which changes nothing. */
interface LookLaws {

    @WhereCapable
    @Law("S1")
    default void lookingAtAFreeSlotShowsNothingAndTakesNothing(Bench bench, Inspectable slots) {
        assertEquals(Optional.empty(), slots.look(bench.key()));

        assertFalse(bench.granted(bench.otherCall(), "first").abandoned());
    }

    @WhereCapable
    @Law("S2")
    default void lookingAtAHeldSlotShowsItsHolder(Bench bench, Inspectable slots) {
        Claim.Granted granted = bench.granted("first");
        bench.elapse(PART_OF_LEASE);

        Slot slot = look(slots, bench.key(), Slot.State.HELD);

        assertEquals(bench.key(), slot.key());
        assertEquals(ASKED, slot.fingerprint());
        assertEquals(granted.fence(), slot.fence());
        assertEquals(1, slot.attempts());
        assertEquals(bench.token("first"), slot.holder());
        Expect.about(LEASE.minus(PART_OF_LEASE), slot.remaining());
        older(PART_OF_LEASE, slot);
        assertNull(slot.result());
    }

    @WhereCapable
    @Law("S3")
    default void lookingAtALapsedSlotShowsThatNothingRemains(Bench bench, Inspectable slots) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);

        Slot slot = look(slots, bench.key(), Slot.State.LAPSED);

        assertEquals(Duration.ZERO, slot.remaining());
        assertEquals(bench.token("first"), slot.holder());
        older(OVER_LEASE, slot);
    }

    @WhereCapable
    @Law({"S3", "S7"})
    default void lookingAtASlotTakenOverShowsItsAttempts(Bench bench, Inspectable slots) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.granted("second");
        bench.elapse(OVER_LEASE);
        Claim.Granted third = bench.granted("third");

        Slot slot = look(slots, bench.key(), Slot.State.HELD);

        assertEquals(3, slot.attempts());
        assertEquals(third.fence(), slot.fence());
        assertEquals(bench.token("third"), slot.holder());
        older(Duration.ZERO, slot);
    }

    @WhereCapable
    @Law("S4")
    default void attemptsCountFromWhenASlotWasFree(Bench bench, Inspectable slots) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.granted("second");
        bench.release("second");
        assertEquals(Optional.empty(), slots.look(bench.key()));
        bench.granted("third");

        assertEquals(1, look(slots, bench.key(), Slot.State.HELD).attempts());
    }

    @WhereCapable
    @Law("S5")
    default void lookingAtASettledSlotShowsItsResult(Bench bench, Inspectable slots) {
        long fence = bench.granted("first").fence();
        bench.elapse(OVER_LEASE);
        bench.complete("first", DONE);

        Slot slot = look(slots, bench.key(), Slot.State.SETTLED);

        Expect.assertBytes(DONE, slot.result());
        assertEquals(ASKED, slot.fingerprint());
        assertEquals(fence, slot.fence());
        assertNull(slot.holder());
        Expect.about(KEPT.retention(), slot.remaining());
        older(Duration.ZERO, slot);
    }

    @WhereCapable
    @Law("S5")
    default void lookingAtAnUnknownOutcomeSaysSo(Bench bench, Inspectable slots) {
        bench.done(Expect.UNKNOWN, Retention.UNENDING);

        Slot slot = look(slots, bench.key(), Slot.State.UNKNOWN);

        Expect.assertBytes(Expect.UNKNOWN, slot.result());
        assertEquals(Retention.FOREVER, slot.remaining());
    }

    @WhereCapable
    @Law("S6")
    default void lookingAtAKeyPastRetentionShowsThatItsResultIsGone(Bench bench, Inspectable slots) {
        bench.done(DONE, KEPT);
        bench.elapse(OVER_RETENTION);

        Slot slot = look(slots, bench.key(), Slot.State.GONE);

        assertNull(slot.result());
        Expect.about(Duration.ofMinutes(50), slot.remaining());
        older(OVER_RETENTION, slot);
        bench.elapse(OVER_REMEMBRANCE.minus(OVER_RETENTION));
        assertEquals(Optional.empty(), slots.look(bench.key()));
    }

    @WhereCapable
    @Law({"S2", "S3"})
    default void lookingDoesNotProlongALease(Bench bench, Inspectable slots) {
        bench.granted("first");
        bench.elapse(PART_OF_LEASE);
        slots.look(bench.key());
        bench.elapse(LEASE.minus(PART_OF_LEASE).plusMinutes(5));
        slots.look(bench.key());

        assertTrue(bench.granted("second").abandoned());
    }

    @WhereCapable
    @Law({"S5", "S12"})
    default void whoeverSpoilsAResultItLookedAtSpoilsItForNobodyElse(Bench bench, Inspectable slots) {
        bench.done(DONE, KEPT);
        byte[] seen = look(slots, bench.key(), Slot.State.SETTLED).result();
        assertNotNull(seen);
        Arrays.fill(seen, (byte) 0);

        bench.answers(DONE);
    }

    @WhereCapable
    @Law("S10")
    default void lookingShowsOnlyTheVeryKey(Bench bench, Inspectable slots) {
        List<Twins> all = Twins.all();
        for (int i = 0; i < all.size(); i++) {
            Key key = all.get(i).first(bench.scope() + i);
            Key twin = all.get(i).second(bench.scope() + i);
            bench.granted(bench.call(key), "holder " + i);

            assertEquals(key, slots.look(key).orElseThrow().key());
            assertEquals(Optional.empty(), slots.look(twin), all.get(i).name());
        }
    }

    private static Slot look(Inspectable slots, Key key, Slot.State expected) {
        Slot slot = slots.look(key).orElseThrow(() -> new AssertionError("nothing is shown of " + key));
        assertEquals(expected, slot.state());
        return slot;
    }

    private static void older(Duration expected, Slot slot) {
        Duration age = slot.age();
        assertTrue(
                age.plusSeconds(1).compareTo(expected) > 0
                        && age.minusMinutes(2).compareTo(expected) < 0,
                () -> "about " + expected + " old, not " + age);
    }
}
