// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.ASKED;
import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A result comes back byte for byte, to everyone (S5, S12). */
interface ResultLaws {

    /** Around the sizes at which column types, packets and buffers end. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 255, 256, 4_096, 65_535, 65_536, 1_048_576})
    @Law("S5")
    default void aResultOfAnySizeComesBack(int size, Bench bench) {
        byte[] result = new byte[size];
        new Random(size).nextBytes(result);
        bench.done(result, KEPT);

        bench.answers(result);
        bench.elsewhere().answers(result);
    }

    @Test
    @Law("S5")
    default void everyByteComesBackAsItWas(Bench bench) {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        bench.done(all, KEPT);

        bench.answers(all);
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, ' ', '\n', (byte) 0xff, (byte) 0xc3})
    @Law("S5")
    default void bytesAtTheEdgesAreKept(byte edge, Bench bench) {
        byte[] result = {edge, edge, 'x', edge, edge};
        bench.done(result, KEPT);

        bench.answers(result);
    }

    @Test
    @Law("S5")
    default void everybodyIsToldTheFingerprintThatTheResultAnswers(Bench bench) {
        bench.done(DONE, KEPT);

        Claim told = bench.claim(bench.otherCall(), "another request");

        assertEquals(ASKED, Expect.answer(DONE, told).fingerprint());
    }

    @Test
    @Law({"S5", "S12"})
    default void anotherRequestTakesNothingFromAResult(Bench bench) {
        bench.done(DONE, KEPT);
        Expect.settled(bench.claim(bench.otherCall(), "another request"));

        assertEquals(ASKED, bench.answers(DONE).fingerprint());
    }

    @Test
    @Law("S5")
    default void aResultIsThereInAnotherProcessAsSoonAsItIsAcknowledged(Bench bench) {
        Bench elsewhere = bench.elsewhere();
        elsewhere.granted("first");
        bench.held("second");
        elsewhere.complete("first", DONE);

        bench.answers(DONE);
    }

    @Test
    @Law({"S5", "S12"})
    default void aResultCanBeAskedForAnyNumberOfTimes(Bench bench) {
        bench.done(DONE, KEPT);

        for (int i = 0; i < 10; i++) {
            bench.answers(DONE);
        }
    }

    @Test
    @Law({"S5", "S12"})
    default void whoeverSpoilsAResultItWasGivenSpoilsItForNobodyElse(Bench bench) {
        bench.done(DONE, KEPT);

        spoil(bench.answers(DONE));
        spoil(Expect.settled(Expect.known(bench.peek())));

        bench.answers(DONE);
        Expect.answer(DONE, Expect.known(bench.elsewhere().peek()));
    }

    @Test
    @Law({"S5", "S12"})
    default void whoeverSpoilsTheArrayItCompletedWithSpoilsNothing(Bench bench) {
        byte[] mine = DONE.clone();
        bench.granted("first");
        assertTrue(bench.settle("first", new Settlement.Complete(mine, KEPT)));
        Arrays.fill(mine, (byte) 0);

        bench.answers(DONE);
    }

    private static void spoil(Claim.Settled settled) {
        Arrays.fill(Objects.requireNonNull(settled.result()), (byte) 0);
    }
}
