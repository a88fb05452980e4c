// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Wish;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A batch answers as its parts would, one after the other (S1 to S6, S13). */
interface BatchLaws {

    @Test
    @Law({"S1", "S4"})
    default void anEmptyBatchHasNoAnswers(Bench bench) {
        assertEquals(List.of(), bench.claimAll(List.of()));
        assertEquals(List.of(), bench.store().settleAll(List.of()));
    }

    @Test
    @Law({"S1", "S2", "S3", "S5", "S6"})
    default void claimsInABatchAreAnsweredInTheirOrder(Bench bench) {
        bench.granted(bench.call(bench.key("gone")), "gone");
        settle(bench, "gone", Wish.COMPLETE.settlement());
        bench.elapse(OVER_RETENTION);
        bench.granted(bench.call(bench.key("lapsed")), "lapsed");
        bench.elapse(OVER_LEASE);
        bench.granted(bench.call(bench.key("held")), "held");
        bench.granted(bench.call(bench.key("settled")), "settled");
        settle(bench, "settled", new Settlement.Complete(DONE, KEPT));

        List<Claim> answers = bench.claimAll(claimings(bench, "settled", "free", "held", "gone", "lapsed"));

        assertEquals(5, answers.size());
        Expect.answer(DONE, answers.get(0));
        assertFalse(Expect.granted(answers.get(1)).abandoned());
        Expect.about(LEASE, Expect.held(answers.get(2)).remaining());
        Expect.gone(answers.get(3));
        assertTrue(Expect.granted(answers.get(4)).abandoned());
    }

    @Test
    @Law("S1")
    default void aBatchThatAsksTwiceForOneKeyGetsItOnce(Bench bench) {
        List<Claiming> twice = claimings(bench, "b", "a", "b");

        List<Claim> answers = bench.claimAll(twice);

        Expect.granted(answers.get(0));
        Expect.granted(answers.get(1));
        assertEquals(Bench.ASKED, Expect.held(answers.get(2)).fingerprint());
        assertTrue(bench.settle(bench.key("b"), "0 b", new Settlement.Release()));
    }

    @Test
    @Law("S2")
    default void aBatchThatAsksTwoThingsOfOneKeyIsToldTheFirst(Bench bench) {
        Fingerprint second = Bench.OTHER;
        List<Claim> answers = bench.claimAll(List.of(
                new Claiming(bench.call(), bench.token("first"), LEASE),
                new Claiming(Call.of(bench.key(), second), bench.token("second"), LEASE)));

        Expect.granted(answers.get(0));
        assertEquals(Bench.ASKED, Expect.held(answers.get(1)).fingerprint());
    }

    @Test
    @Law("S13")
    default void aHolderThatIsTwiceInOneBatchGetsTheSameGrantTwice(Bench bench) {
        Claiming claiming = new Claiming(bench.call(), bench.token("first"), LEASE);

        List<Claim> answers = bench.claimAll(List.of(claiming, claiming));

        assertEquals(Expect.granted(answers.get(0)), Expect.granted(answers.get(1)));
    }

    @Test
    @Law("S4")
    default void settlementsInABatchAreAnsweredInTheirOrder(Bench bench) {
        bench.claimAll(claimings(bench, "a", "b", "c"));

        List<Boolean> applied = bench.store()
                .settleAll(List.of(
                        settling(bench, "c", bench.token("0 a"), Wish.RELEASE),
                        settling(bench, "a", bench.token("0 a"), Wish.COMPLETE),
                        settling(bench, "nobody's", bench.token("3 d"), Wish.RENEW),
                        settling(bench, "b", bench.token("1 b"), Wish.RELEASE),
                        settling(bench, "c", bench.token("2 c"), Wish.RENEW)));

        assertEquals(List.of(false, true, false, true, true), applied);
        Expect.settled(bench.retry(bench.call(bench.key("a"))));
        Expect.free(bench.store().peek(bench.key("b")));
        Expect.about(
                LEASE.multipliedBy(3),
                bench.held(bench.call(bench.key("c")), "a retry").remaining());
        Expect.free(bench.store().peek(bench.key("nobody's")));
    }

    @Test
    @Law("S4")
    default void settlementsOfOneSlotInABatchApplyOneAfterTheOther(Bench bench) {
        bench.claimAll(claimings(bench, "a", "b", "c"));

        List<Boolean> applied = bench.store()
                .settleAll(List.of(
                        settling(bench, "a", bench.token("0 a"), Wish.RENEW),
                        settling(bench, "a", bench.token("0 a"), Wish.COMPLETE),
                        settling(bench, "b", bench.token("1 b"), Wish.RELEASE),
                        settling(bench, "b", bench.token("1 b"), Wish.COMPLETE),
                        settling(bench, "c", bench.token("2 c"), Wish.COMPLETE),
                        settling(bench, "c", bench.token("2 c"), Wish.RELEASE)));

        assertEquals(List.of(true, true, true, false, true, false), applied);
        Expect.settled(bench.retry(bench.call(bench.key("a"))));
        Expect.free(bench.store().peek(bench.key("b")));
        Expect.settled(bench.retry(bench.call(bench.key("c"))));
    }

    @Test
    @Law({"S1", "S4", "S5"})
    default void aBatchOfHundredsIsAnsweredInFull(Bench bench) {
        String[] ids = new String[500];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = "key " + (i * 7919 % ids.length);
        }
        List<Claiming> claimings = claimings(bench, ids);
        List<Claim> granted = bench.claimAll(claimings);
        granted.forEach(Expect::granted);
        List<Settling> settlings = new ArrayList<>();
        for (Claiming claiming : claimings) {
            Key key = claiming.call().key();
            Settlement complete = new Settlement.Complete(Expect.bytes(key.id()), KEPT);
            settlings.add(bench.settling(key, claiming.holder(), complete));
        }
        assertEquals(ids.length, granted.size());
        assertEquals(Collections.nCopies(ids.length, true), bench.store().settleAll(settlings));
        List<Claim> answers = bench.elsewhere().store().claimAll(claimings);
        for (int i = 0; i < ids.length; i++) {
            Expect.answer(Expect.bytes(ids[i]), answers.get(i));
        }
    }

    /** Claims by the holders "0 a", "1 b"…: the place in the batch and the id. */
    private static List<Claiming> claimings(Bench bench, String... ids) {
        List<Claiming> claimings = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            claimings.add(new Claiming(bench.call(bench.key(ids[i])), bench.token(i + " " + ids[i]), LEASE));
        }
        return claimings;
    }

    private static Settling settling(Bench bench, String id, String holder, Wish wish) {
        return bench.settling(bench.key(id), holder, wish.settlement());
    }

    private static void settle(Bench bench, String holder, Settlement settlement) {
        assertTrue(bench.settle(bench.key(holder), holder, settlement));
    }
}
