// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Call;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Race;
import io.semel.testkit.internal.laws.Wish;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When everything happens at once, it still happens one after the other (S1, S3, S4, S7, S12, S13). */
interface RaceLaws {

    @Test
    @Law("S1")
    default void ofManyClaimsAtOnceExactlyOneIsGranted(Bench bench) {
        List<Bench> handles = List.of(bench, bench.elsewhere());
        for (Call call : calls(bench)) {
            List<Claim> claims = Race.of(
                    Race.RUNNERS,
                    i -> () -> handles.get(i % 2).claim(call, call.key().id() + "." + i));

            assertEquals(1, granted(claims).size(), () -> "granted in " + claims);
            claims.stream().filter(claim -> !(claim instanceof Claim.Granted)).forEach(Expect::held);
        }
    }

    @Test
    @Law("S3")
    default void ofManyClaimsOnALapsedSlotExactlyOneIsGranted(Bench bench) {
        List<Bench> handles = List.of(bench, bench.elsewhere());
        for (Call call : calls(bench)) {
            lapse(bench, call);

            List<Claim> claims = Race.of(
                    Race.RUNNERS,
                    i -> () -> handles.get(i % 2).claim(call, call.key().id() + "." + i));

            assertEquals(1, granted(claims).size(), () -> "granted in " + claims);
            assertTrue(granted(claims).get(0).abandoned());
        }
    }

    @Test
    @Law("S13")
    default void aClaimRepeatedManyTimesAtOnceIsOneGrant(Bench bench) {
        for (Call call : calls(bench)) {
            List<Claim> claims = Race.of(
                    Race.RUNNERS, i -> () -> bench.claim(call, call.key().id()));

            claims.forEach(Expect::granted);
            assertEquals(1, new HashSet<>(claims).size(), () -> "one grant in " + claims);
        }
    }

    @Test
    @Law({"S4", "S12"})
    default void ofManyCompletionsAtOnceExactlyOneApplies(Bench bench) {
        for (Call call : calls(bench)) {
            bench.granted(call, call.key().id());

            List<Boolean> applied = Race.of(
                    Race.RUNNERS, i -> () -> bench.settle(call.key(), call.key().id(), completion(i)));

            assertEquals(1, Collections.frequency(applied, true), () -> "applied in " + applied);
            Expect.answer(completion(applied.indexOf(true)).result(), bench.retry(call));
        }
    }

    @Test
    @Law({"S3", "S4"})
    default void aLateCompletionAndATakeoverExcludeEachOther(Bench bench) {
        Bench elsewhere = bench.elsewhere();
        for (Call call : calls(bench)) {
            lapse(bench, call);

            List<Object> told = Race.<Object>of(List.of(
                    () -> bench.settle(call.key(), call.key().id(), completion(1)),
                    () -> elsewhere.claim(call, call.key().id() + " taken over")));

            Class<?> expected = told.get(0).equals(true) ? Claim.Settled.class : Claim.Granted.class;
            assertInstanceOf(expected, told.get(1), () -> "completed or taken over, but " + told);
        }
    }

    @Test
    @Law({"S3", "S4"})
    default void aLateRenewalAndATakeoverExcludeEachOther(Bench bench) {
        Bench elsewhere = bench.elsewhere();
        for (Call call : calls(bench)) {
            lapse(bench, call);

            List<Object> told = Race.<Object>of(List.of(
                    () -> bench.settle(call.key(), call.key().id(), Wish.RENEW.settlement()),
                    () -> elsewhere.claim(call, call.key().id() + " taken over")));

            Class<?> expected = told.get(0).equals(true) ? Claim.Held.class : Claim.Granted.class;
            assertInstanceOf(expected, told.get(1), () -> "renewed or taken over, but " + told);
        }
    }

    @Test
    @Law({"S3", "S4"})
    default void aSlotIsEitherReleasedOrTakenOver(Bench bench) {
        Bench elsewhere = bench.elsewhere();
        for (Call call : calls(bench)) {
            lapse(bench, call);

            List<Object> told = Race.<Object>of(List.of(
                    () -> bench.settle(call.key(), call.key().id(), new Settlement.Release()),
                    () -> elsewhere.claim(call, call.key().id() + " next")));

            boolean abandoned = Expect.granted((Claim) told.get(1)).abandoned();
            assertEquals(told.get(0), !abandoned, () -> "released or taken over, but " + told);
        }
    }

    private static List<Call> calls(Bench bench) {
        return IntStream.range(0, Race.ROUNDS)
                .mapToObj(round -> bench.call(bench.key("round " + round)))
                .toList();
    }

    /** Claimed by a holder that is named as the key, and given up. */
    private static void lapse(Bench bench, Call call) {
        bench.granted(call, call.key().id());
        assertTrue(bench.settle(call.key(), call.key().id(), new Settlement.Renew(Duration.ZERO)));
    }

    private static Settlement.Complete completion(int number) {
        return new Settlement.Complete(Expect.bytes("completed by " + number), Bench.KEPT);
    }

    private static List<Claim.Granted> granted(List<Claim> claims) {
        return claims.stream()
                .filter(Claim.Granted.class::isInstance)
                .map(Claim.Granted.class::cast)
                .toList();
    }
}
