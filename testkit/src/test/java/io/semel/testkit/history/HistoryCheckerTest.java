// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.store.Claim;
import io.semel.testkit.history.SlotOperation.Elapsing;
import io.semel.testkit.history.SlotOperation.Peeking;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest extends HistoryFixture {

    @Test
    void anEmptyHistoryIsLawful() {
        assertLawful();
    }

    @Test
    void aLifeFromClaimToReplayIsLawful() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, claim("b", HELD));
        at(5, 6, settle("a", COMPLETE, true));
        at(7, 8, claim("b", SETTLED));
        at(9, 10, new Peeking(SETTLED));

        assertLawful();
    }

    @Test
    void twoGrantsOfOneSlotAreNot() {
        at(1, 4, claim("a", granted(1)));
        at(2, 3, claim("b", granted(2)));

        assertUnlawful();
    }

    @Test
    void noGrantAtAllIsNot() {
        at(1, 4, claim("a", HELD));
        at(2, 3, claim("b", HELD));

        assertUnlawful();
    }

    @Test
    void whoeverOverlapsTheSettleMayBeToldEither() {
        at(1, 2, claim("a", granted(1)));
        at(3, 8, settle("a", COMPLETE, true));
        at(4, 5, claim("b", SETTLED));
        at(6, 7, new Peeking(SETTLED));

        assertLawful();
    }

    @Test
    void whoeverOverlapsTheSettleIsNotToldOneAndThenTheOther() {
        at(1, 2, claim("a", granted(1)));
        at(3, 8, settle("a", COMPLETE, true));
        at(4, 5, claim("b", SETTLED));
        at(6, 7, new Peeking(HELD));

        assertUnlawful();
    }

    @Test
    void aStaleReadAfterASettleIsNot() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, settle("a", COMPLETE, true));
        at(5, 6, claim("b", HELD));

        assertUnlawful();
    }

    @Test
    void aSettleThatIsLostIsNot() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, settle("a", COMPLETE, true));
        at(5, 6, new Peeking(null));

        assertUnlawful();
    }

    @Test
    void aRefusedSettleThatAppliedIsNot() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, settle("b", COMPLETE, false));
        at(5, 6, new Peeking(SETTLED));

        assertUnlawful();
    }

    @Test
    void aHolderThatIsRefusedIsNot() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, settle("a", RELEASE, false));

        assertUnlawful();
    }

    @Test
    void aFenceThatGoesBackwardsIsNot() {
        at(1, 2, claim("a", granted(5)));
        at(3, 4, settle("a", RELEASE, true));
        at(5, 6, claim("b", granted(5)));

        assertUnlawful();
    }

    @Test
    void fencesOfOverlappingGrantsSayWhichCameFirst() {
        at(1, 10, claim("a", granted(2)));
        at(2, 3, claim("b", granted(1)));
        at(4, 5, settle("b", RELEASE, true));

        assertLawful();
    }

    @Test
    void aTakeoverNeedsTimeToPass() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, claim("b", new Claim.Granted(2, true)));

        assertUnlawful();
    }

    @Test
    void aTakeoverAfterTheLeaseIsLawful() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, new Elapsing(LEASE));
        at(5, 6, new Peeking(LAPSED));
        at(7, 8, claim("b", new Claim.Granted(2, true)));
        at(9, 10, settle("a", COMPLETE, false));

        assertLawful();
    }

    @Test
    void timeThatPassesMeanwhileMayHavePassedBeforeOrAfter() {
        at(1, 2, claim("a", granted(1)));
        at(3, 8, new Elapsing(LEASE));
        at(4, 5, new Peeking(HELD));
        at(6, 7, claim("b", new Claim.Granted(2, true)));

        assertLawful();
    }

    @Test
    void aClaimThatThrewMayHaveBeenGrantedOrNot() {
        lost(1, claim("a", null));
        at(2, 3, claim("b", HELD));
        assertLawful();

        history.clear();
        lost(1, claim("a", null));
        at(2, 3, claim("b", granted(1)));
        assertLawful();
    }

    @Test
    void aClaimThatThrewMayBeGrantedLater() {
        lost(1, claim("a", null));
        at(2, 3, new Peeking(null));
        at(4, 5, claim("b", HELD));
        at(6, 7, claim("a", granted(1)));

        assertLawful();
    }

    @Test
    void aClaimThatThrewIsNotGrantedAndThenUndone() {
        lost(1, claim("a", null));
        at(2, 3, claim("b", HELD));
        at(4, 5, new Peeking(null));

        assertUnlawful();
    }

    @Test
    void theFenceOfAClaimThatThrewIsStillBelowTheNext() {
        at(1, 2, claim("a", granted(7)));
        at(3, 4, settle("a", RELEASE, true));
        lost(5, claim("b", null));
        at(6, 7, new Peeking(HELD));
        at(8, 9, settle("b", RELEASE, true));
        at(10, 11, claim("c", granted(8)));

        assertUnlawful();
    }

    @Test
    void aSettleThatThrewMayHaveAppliedOrNot() {
        at(1, 2, claim("a", granted(1)));
        lost(3, settle("a", COMPLETE, null));
        at(4, 5, claim("b", HELD));
        at(6, 7, claim("b", SETTLED));

        assertLawful();
    }

    @Test
    void aSettleThatThrewDoesNotApplyBeforeItWasAsked() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, new Peeking(SETTLED));
        lost(5, settle("a", COMPLETE, null));

        assertUnlawful();
    }

    @Test
    void anObjectionMarksWhatCannotBeExplained() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, claim("b", granted(2)));

        assertThat(HistoryChecker.objection(history)).contains("    Event[", "  ! Event[", "holder=b");
    }
}
