// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Fingerprint;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.history.SlotOperation.Claiming;
import io.semel.testkit.history.SlotOperation.Elapsing;
import io.semel.testkit.history.SlotOperation.Peeking;
import io.semel.testkit.history.SlotOperation.Settling;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotModelTest {

    private static final Fingerprint PRINT = Fingerprint.of("asked");
    private static final Fingerprint OTHER = Fingerprint.of("something else");
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final byte[] DONE = {1};

    private final SlotModel held = only(SlotModel.free().after(claim(PRINT, "a", new Claim.Granted(5, false))));
    private final SlotModel lapsed = only(held.after(new Elapsing(LEASE)));

    @Test
    void aFreeSlotIsGrantedAndNotAbandoned() {
        assertForbidden(SlotModel.free(), claim(PRINT, "a", new Claim.Granted(5, true)));
        assertForbidden(SlotModel.free(), claim(PRINT, "a", new Claim.Held(PRINT, LEASE)));
        assertForbidden(SlotModel.free(), new Settling("a", 5, new Settlement.Release(), true));
        assertAllowed(SlotModel.free(), new Settling("a", 5, new Settlement.Release(), false));
        assertAllowed(SlotModel.free(), new Peeking(null));
    }

    @Test
    void aHeldSlotIsHeldForOthersWithSomethingRemaining() {
        assertAllowed(held, claim(OTHER, "b", new Claim.Held(PRINT, LEASE)));
        assertForbidden(held, claim(OTHER, "b", new Claim.Held(OTHER, LEASE)));
        assertForbidden(held, claim(PRINT, "b", new Claim.Held(PRINT, Duration.ZERO)));
        assertForbidden(held, claim(PRINT, "b", new Claim.Held(PRINT, LEASE.negated())));
        assertForbidden(held, new Peeking(null));
    }

    @Test
    void aClaimRepeatedByItsHolderIsTheSameGrant() {
        assertAllowed(held, claim(PRINT, "a", new Claim.Granted(5, false)));
        assertForbidden(held, claim(PRINT, "a", new Claim.Granted(6, false)));
        assertForbidden(held, claim(PRINT, "a", new Claim.Granted(5, true)));
        assertForbidden(held, claim(PRINT, "a", new Claim.Held(PRINT, LEASE)));
        assertAllowed(lapsed, claim(PRINT, "a", new Claim.Granted(5, false)));
    }

    @Test
    void aSettleThatNamesAnotherFenceDoesNotApply() {
        assertAllowed(held, new Settling("a", 5, new Settlement.Release(), true));
        assertForbidden(held, new Settling("a", 4, new Settlement.Release(), true));
        assertAllowed(held, new Settling("a", 4, new Settlement.Release(), false));
    }

    @Test
    void aLapsedSlotIsGrantedAgainToTheSameFingerprintOnly() {
        assertAllowed(lapsed, claim(PRINT, "b", new Claim.Granted(6, true)));
        assertForbidden(lapsed, claim(PRINT, "b", new Claim.Granted(5, true)));
        assertForbidden(lapsed, claim(PRINT, "b", new Claim.Granted(6, false)));
        assertForbidden(lapsed, claim(PRINT, "b", new Claim.Held(PRINT, Duration.ZERO)));
        assertForbidden(lapsed, claim(OTHER, "b", new Claim.Granted(6, true)));
        assertAllowed(lapsed, claim(OTHER, "b", new Claim.Held(PRINT, Duration.ZERO)));
        assertAllowed(lapsed, new Settling("a", 5, new Settlement.Release(), true));
        assertForbidden(lapsed, new Settling("a", 5, new Settlement.Release(), false));
    }

    @Test
    void aResultIsToldUntilRetentionEndsAndItsLossUntilRemembranceEnds() {
        SlotModel settled = settle(held, Retention.of(HOUR, HOUR));
        SlotModel gone = only(settled.after(new Elapsing(HOUR.plusMinutes(30))));
        SlotModel forgotten = only(gone.after(new Elapsing(HOUR)));

        assertAllowed(settled, claim(OTHER, "b", new Claim.Settled(PRINT, DONE, HOUR)));
        assertForbidden(settled, claim(PRINT, "b", new Claim.Settled(PRINT, null, HOUR)));
        assertForbidden(settled, claim(PRINT, "b", new Claim.Settled(PRINT, new byte[] {2}, HOUR)));
        assertForbidden(settled, claim(PRINT, "b", new Claim.Settled(PRINT, DONE, Duration.ZERO)));
        assertForbidden(settled, new Settling("a", 5, new Settlement.Release(), true));
        assertAllowed(gone, claim(PRINT, "b", new Claim.Settled(PRINT, null, HOUR)));
        assertForbidden(gone, claim(PRINT, "b", new Claim.Settled(PRINT, DONE, HOUR)));
        assertForbidden(gone, new Peeking(null));
        assertAllowed(forgotten, claim(OTHER, "b", new Claim.Granted(1, false)));
    }

    @Test
    void whatIsKeptForeverStays() {
        SlotModel settled = settle(held, Retention.UNENDING);

        assertThat(settled.after(new Elapsing(Duration.ofDays(10_000)))).containsExactly(settled);
        SlotModel remembered = settle(held, Retention.of(HOUR, Retention.FOREVER));
        SlotModel gone = only(remembered.after(new Elapsing(Duration.ofDays(10_000))));
        assertAllowed(gone, new Peeking(new Claim.Settled(PRINT, null, Retention.FOREVER)));
    }

    @Test
    void renewingByNothingLetsTheLeaseRunOut() {
        assertThat(held.after(new Settling("a", 5, new Settlement.Renew(Duration.ZERO), true)))
                .containsExactly(lapsed);
    }

    @Test
    void whatWasNotAnsweredMayHaveHappened() {
        assertThat(SlotModel.free().after(claim(PRINT, "a", null))).hasSize(2);
        assertThat(lapsed.after(claim(PRINT, "b", null))).hasSize(2);
        assertThat(lapsed.after(claim(PRINT, "a", null))).containsExactly(lapsed, held);
        assertThat(lapsed.after(claim(OTHER, "b", null))).containsExactly(lapsed);
        assertThat(held.after(new Settling("a", 5, new Settlement.Release(), null)))
                .hasSize(2);
        assertThat(held.after(new Settling("b", 5, new Settlement.Release(), null)))
                .containsExactly(held);
    }

    @Test
    void aSettleThatAppliedTellsTheFenceThatNobodySaw() {
        SlotModel guessed = SlotModel.free().after(claim(PRINT, "a", null)).get(1);
        SlotModel renewed = only(guessed.after(new Settling("a", 9, new Settlement.Renew(LEASE), true)));

        assertAllowed(guessed, new Settling("a", 9, new Settlement.Renew(LEASE), false));
        assertAllowed(renewed, claim(PRINT, "a", new Claim.Granted(9, false)));
        assertForbidden(renewed, claim(PRINT, "a", new Claim.Granted(10, false)));
        assertForbidden(renewed, new Settling("a", 10, new Settlement.Release(), true));
    }

    private static SlotModel settle(SlotModel held, Retention retention) {
        return only(held.after(new Settling("a", 5, new Settlement.Complete(DONE, retention), true)));
    }

    private static SlotOperation claim(Fingerprint print, String holder, Claim answer) {
        return new Claiming(print, holder, LEASE, answer);
    }

    private static SlotModel only(List<SlotModel> states) {
        assertThat(states).hasSize(1);
        return states.get(0);
    }

    private static void assertAllowed(SlotModel slot, SlotOperation operation) {
        assertThat(slot.after(operation)).isNotEmpty();
    }

    private static void assertForbidden(SlotModel slot, SlotOperation operation) {
        assertThat(slot.after(operation)).isEmpty();
    }
}
