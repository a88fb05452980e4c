// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Claim;
import io.semel.Fingerprint;
import io.semel.Retention;
import io.semel.Settlement;
import io.semel.testkit.HistoryChecker.Event;
import io.semel.testkit.SlotOperation.Claiming;
import io.semel.testkit.SlotOperation.Elapsing;
import io.semel.testkit.SlotOperation.Peeking;
import io.semel.testkit.SlotOperation.Settling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {

    private static final Fingerprint PRINT = Fingerprint.of("asked");
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final byte[] DONE = {1};
    private static final Settlement COMPLETE = new Settlement.Complete(DONE, Retention.DEFAULT);
    private static final Settlement RELEASE = new Settlement.Release();
    private static final Claim HELD = new Claim.Held(PRINT, LEASE);
    private static final Claim LAPSED = new Claim.Held(PRINT, Duration.ZERO);
    private static final Claim SETTLED = new Claim.Settled(PRINT, DONE, Duration.ofDays(1));

    private final List<Event> history = new ArrayList<>();
    private final Map<String, Long> fences = new HashMap<>();

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
    void aLongHistoryOfManyAtOnceIsDecidedQuickly() {
        long time = 0;
        for (int round = 0; round < 100; round++) {
            at(time + 1, time + 20, claim("a" + round, granted(round)));
            for (int i = 0; i < 8; i++) {
                at(time + 2 + i, time + 30 + i, claim("b" + round + i, HELD));
            }
            at(time + 50, time + 60, settle("a" + round, RELEASE, true));
            time += 100;
        }
        assertLawful();
        at(time, time + 1, new Peeking(HELD));
        assertUnlawful();
    }

    @Test
    void theSearchFindsAnOrderExactlyWhereTryingEveryOrderDoes() {
        Random random = new Random(7);
        int lawful = 0;
        for (int i = 0; i < 2_000; i++) {
            history.clear();
            for (int n = 0; n < 5; n++) {
                SlotOperation operation = anyOperation(random);
                long began = random.nextInt(8);
                at(began, operation.isUnanswered() ? Long.MAX_VALUE : began + random.nextInt(6), operation);
            }
            boolean found = EveryOrder.isLawful(history);
            assertThat(HistoryChecker.isLawful(history))
                    .as("history %d: %s", i, history)
                    .isEqualTo(found);
            lawful += found ? 1 : 0;
        }
        assertThat(lawful).isBetween(200, 1_800);
    }

    private static SlotOperation anyOperation(Random random) {
        String holder = random.nextBoolean() ? "a" : "b";
        long fence = random.nextInt(2);
        return switch (random.nextInt(8)) {
            case 0 -> new Claiming(PRINT, holder, LEASE, granted(fence));
            case 1 -> new Claiming(PRINT, holder, LEASE, HELD);
            case 2 -> new Claiming(PRINT, holder, LEASE, null);
            case 3 -> new Settling(holder, fence, RELEASE, true);
            case 4 -> new Settling(holder, fence, random.nextBoolean() ? COMPLETE : RELEASE, null);
            case 5 -> new Settling(holder, fence, RELEASE, false);
            case 6 -> new Peeking(random.nextBoolean() ? HELD : null);
            default -> new Peeking(random.nextBoolean() ? SETTLED : null);
        };
    }

    @Test
    void anObjectionMarksWhatCannotBeExplained() {
        at(1, 2, claim("a", granted(1)));
        at(3, 4, claim("b", granted(2)));

        assertThat(HistoryChecker.objection(history)).contains("    Event[", "  ! Event[", "holder=b");
    }

    private void at(long began, long ended, SlotOperation operation) {
        history.add(new Event("a test", began, ended, operation));
    }

    private void lost(long began, SlotOperation operation) {
        at(began, Long.MAX_VALUE, operation);
    }

    private SlotOperation claim(String holder, Claim answer) {
        if (answer instanceof Claim.Granted granted) {
            fences.put(holder, granted.fence());
        }
        return new Claiming(PRINT, holder, LEASE, answer);
    }

    /** Names the fence of the last grant that the history has for this holder. */
    private SlotOperation settle(String holder, Settlement settlement, Boolean applied) {
        return new Settling(holder, fences.getOrDefault(holder, 1L), settlement, applied);
    }

    private static Claim granted(long fence) {
        return new Claim.Granted(fence, false);
    }

    private void assertLawful() {
        assertThat(HistoryChecker.objection(history)).isEmpty();
        assertThat(HistoryChecker.isLawful(history)).isTrue();
    }

    private void assertUnlawful() {
        assertThat(HistoryChecker.isLawful(history)).isFalse();
    }
}
