// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.LONGEST_TOKEN;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_REMEMBRANCE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Wish;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only the current holder of an unsettled slot decides about it (S4, S12). */
interface SettleLaws {

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void theHolderMaySettle(Wish wish, Bench bench) {
        bench.granted("first");

        assertTrue(bench.settle("first", wish.settlement()));
    }

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void theHolderMaySettleThroughAnotherHandle(Wish wish, Bench bench) {
        bench.granted("first");

        assertTrue(bench.elsewhere().settle("first", wish.settlement()));
    }

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void aStrangerSettlesNothing(Wish wish, Bench bench) {
        bench.granted("first");
        Optional<Claim> before = bench.peek();

        assertFalse(bench.settle("a stranger", wish.settlement()));
        Expect.same(before, bench.peek());
        bench.complete("first", DONE);
    }

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void aFreeSlotCannotBeSettled(Wish wish, Bench bench) {
        assertFalse(bench.settle("nobody", wish.settlement()));
        Expect.free(bench.peek());
        assertFalse(bench.granted("first").abandoned());
    }

    @ParameterizedTest
    @EnumSource
    @Law({"S4", "S12"})
    default void aSettledSlotCannotBeSettledAgain(Wish wish, Bench bench) {
        bench.done(DONE, KEPT);
        Optional<Claim> before = bench.peek();

        assertFalse(bench.settle("first", wish.settlement()));
        assertFalse(bench.settle("a stranger", wish.settlement()));
        Expect.same(before, bench.peek());
        bench.answers(DONE);
    }

    @ParameterizedTest
    @EnumSource
    @Law({"S4", "S6"})
    default void aSlotPastRetentionCannotBeSettled(Wish wish, Bench bench) {
        bench.done(DONE, KEPT);
        bench.elapse(OVER_RETENTION);

        assertFalse(bench.settle("first", wish.settlement()));
        bench.gone();
    }

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void aForgottenSlotCannotBeSettled(Wish wish, Bench bench) {
        bench.done(DONE, KEPT);
        bench.elapse(OVER_REMEMBRANCE);

        assertFalse(bench.settle("first", wish.settlement()));
        Expect.free(bench.peek());
    }

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void aHolderThatReleasedHasNothingMoreToSay(Wish wish, Bench bench) {
        bench.granted("first");
        bench.release("first");

        assertFalse(bench.settle("first", wish.settlement()));
        Expect.free(bench.peek());
    }

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void aHolderThatWasReplacedSettlesNothing(Wish wish, Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.elsewhere().granted("second");

        assertFalse(bench.settle("first", wish.settlement()));
        Expect.about(LEASE, bench.held("third").remaining());
        bench.complete("second", Expect.bytes("by the second"));
        assertFalse(bench.settle("first", wish.settlement()));
        bench.answers(Expect.bytes("by the second"));
    }

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void aLapsedHolderThatNobodyReplacedMayStillSettle(Wish wish, Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        bench.held(bench.otherCall(), "a stranger");

        assertTrue(bench.settle("first", wish.settlement()));
    }

    @Test
    @Law({"S4", "S12"})
    default void aHolderThatCompletesTwiceIsRefusedTheSecondTime(Bench bench) {
        bench.granted("first");
        bench.complete("first", Expect.bytes("once"));

        assertFalse(bench.settle("first", new Settlement.Complete(Expect.bytes("twice"), KEPT)));
        bench.answers(Expect.bytes("once"));
    }

    @ParameterizedTest
    @EnumSource
    @Law("S4")
    default void aSettleThatNamesAnotherFenceDoesNotApply(Wish wish, Bench bench) {
        long fence = bench.granted("first").fence();
        String holder = bench.token("first");

        for (long other : new long[] {fence - 1, fence + 1, 0, Long.MAX_VALUE, -fence}) {
            assertFalse(bench.store().settle(bench.key(), holder, other, wish.settlement()));
        }
        bench.held("a stranger");
        assertTrue(bench.store().settle(bench.key(), holder, fence, wish.settlement()));
    }

    @Test
    @Law("S4")
    default void whatAnAttemptSaidLongAgoDoesNotApplyToALaterGrantOfTheSameHolder(Bench bench) {
        long first = bench.granted("first").fence();
        bench.release("first");
        bench.granted("second");
        bench.elapse(OVER_LEASE);
        long again = bench.granted("first").fence();

        assertTrue(again > first);
        assertFalse(bench.store().settle(bench.key(), bench.token("first"), first, new Settlement.Release()));
        bench.held("a stranger");
    }

    @Test
    @Law("S4")
    default void holdersAreExact(Bench bench) {
        String holder = bench.token("holder.a1");
        Expect.granted(bench.claim(bench.call(), holder, LEASE));

        for (String almost : almost(holder)) {
            assertFalse(bench.settleBy(almost, new Settlement.Release()), almost);
            Expect.held(bench.store().claim(bench.call(), almost, LEASE));
        }
        assertTrue(bench.settleBy(holder, new Settlement.Release()));
    }

    private static List<String> almost(String holder) {
        String shorter = holder.substring(0, holder.length() - 1);
        return List.of(
                holder.toUpperCase(Locale.ROOT), holder + " ", " " + holder, shorter, shorter + "2", holder + "1");
    }

    @Test
    @Law("S4")
    default void aHolderMayHave64Characters(Bench bench) {
        String token = bench.token("");
        String longest = token + "x".repeat(LONGEST_TOKEN - token.length());
        Expect.granted(bench.claim(bench.call(), longest, LEASE));

        String shorter = longest.substring(0, LONGEST_TOKEN - 1);
        assertFalse(bench.settleBy(shorter, new Settlement.Release()));
        assertFalse(bench.settleBy(shorter + "#", new Settlement.Release()));
        assertTrue(bench.settleBy(longest, new Settlement.Release()));
    }
}
