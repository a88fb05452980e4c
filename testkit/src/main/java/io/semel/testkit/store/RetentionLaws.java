// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.ASKED;
import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OTHER;
import static io.semel.testkit.internal.laws.Bench.OVER_REMEMBRANCE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Bench.PART_OF_RETENTION;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.semel.Retention;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a result is kept, and its key refused (S5, S6). */
interface RetentionLaws {

    @Test
    @Law("S5")
    default void aResultStaysUntilItsRetentionEnds(Bench bench) {
        bench.done(DONE, KEPT);
        Expect.about(KEPT.retention(), bench.answers(DONE).remaining());
        bench.elapse(PART_OF_RETENTION);

        Expect.about(
                KEPT.retention().minus(PART_OF_RETENTION), bench.answers(DONE).remaining());
    }

    @Test
    @Law("S5")
    default void retentionCountsFromCompletion(Bench bench) {
        bench.granted("first");
        bench.elapse(KEPT.retention().multipliedBy(3));
        bench.complete("first", DONE);

        Expect.about(KEPT.retention(), bench.answers(DONE).remaining());
        bench.elapse(PART_OF_RETENTION);
        bench.answers(DONE);
        bench.elapse(OVER_RETENTION.minus(PART_OF_RETENTION));
        bench.gone();
    }

    @Test
    @Law("S5")
    default void retentionMayBeShorterThanTheLeaseWas(Bench bench) {
        bench.granted("first");
        bench.complete("first", DONE, Retention.of(LEASE.dividedBy(4), LEASE.multipliedBy(3)));
        bench.elapse(LEASE.dividedBy(2));

        bench.gone();
    }

    @Test
    @Law({"S5", "S6"})
    default void replaysDoNotProlongRetention(Bench bench) {
        bench.done(DONE, KEPT);
        bench.elapse(PART_OF_RETENTION);
        bench.answers(DONE);
        bench.peek();
        bench.elapse(OVER_RETENTION.minus(PART_OF_RETENTION));

        bench.gone();
    }

    @Test
    @Law("S6")
    default void afterRetentionTheKeyIsRefusedWithoutAResult(Bench bench) {
        bench.done(DONE, KEPT);
        bench.elapse(OVER_RETENTION);

        assertEquals(ASKED, bench.gone().fingerprint());
        Expect.about(Duration.ofMinutes(50), bench.gone().remaining());
        assertEquals(
                ASKED,
                Expect.gone(bench.elsewhere().claim(bench.otherCall(), "another request"))
                        .fingerprint());
        Expect.gone(bench.claim(bench.call(), "first"));
    }

    @Test
    @Law("S6")
    default void askingForAKeyThatIsGoneDoesNotProlongItsRemembrance(Bench bench) {
        bench.done(DONE, KEPT);
        Duration partOfRemembrance = OVER_RETENTION.plusMinutes(30);
        bench.elapse(partOfRemembrance);
        bench.gone();
        bench.elapse(OVER_REMEMBRANCE.minus(partOfRemembrance));

        Expect.free(bench.peek());
    }

    @Test
    @Law("S6")
    default void afterRemembranceTheKeyIsFreeForAnyRequest(Bench bench) {
        bench.done(DONE, KEPT);
        bench.elapse(OVER_REMEMBRANCE);

        Expect.free(bench.peek());
        assertFalse(bench.granted(bench.otherCall(), "second").abandoned());
        assertEquals(OTHER, bench.held("third").fingerprint());
    }

    @Test
    @Law({"S5", "S6"})
    default void aKeyUsedAgainAfterRemembranceKeepsNothingOfItsPast(Bench bench) {
        bench.done(DONE, KEPT);
        bench.elapse(OVER_REMEMBRANCE);
        bench.granted(bench.otherCall(), "second");
        bench.elapse(OVER_REMEMBRANCE);
        bench.complete("second", Expect.bytes("done anew"));
        bench.elapse(PART_OF_RETENTION);

        assertEquals(OTHER, bench.answers(Expect.bytes("done anew")).fingerprint());
    }

    @Test
    @Law("S6")
    default void withoutRemembranceTheKeyIsFreeWhenRetentionEnds(Bench bench) {
        bench.done(DONE, Retention.of(KEPT.retention(), Duration.ZERO));
        bench.elapse(PART_OF_RETENTION);
        bench.answers(DONE);
        bench.elapse(OVER_RETENTION.minus(PART_OF_RETENTION));

        Expect.free(bench.peek());
        bench.granted(bench.otherCall(), "second");
    }

    @Test
    @Law({"S5", "S6"})
    default void theShortestRetentionEndsInRemembrance(Bench bench) {
        bench.done(DONE, Retention.of(Duration.ofNanos(1), KEPT.remembrance()));
        bench.elapse(Duration.ofMinutes(1));

        bench.gone();
    }

    @Test
    @Law("S5")
    default void anUnendingResultStays(Bench bench) {
        bench.done(DONE, Retention.UNENDING);
        bench.elapse(Duration.ofDays(1_000));

        assertEquals(Retention.FOREVER, bench.answers(DONE).remaining());
    }

    @Test
    @Law("S6")
    default void anUnendingRemembranceStays(Bench bench) {
        bench.done(DONE, Retention.of(KEPT.retention(), Retention.FOREVER));
        bench.elapse(Duration.ofDays(1_000));

        assertEquals(Retention.FOREVER, bench.gone().remaining());
    }

    @Test
    @Law("S5")
    default void theLongestRetentionAndRemembranceDoNotOverflow(Bench bench) {
        bench.done(DONE, Retention.of(Retention.LONGEST, Retention.LONGEST));
        bench.elapse(Duration.ofDays(1_000));

        Expect.about(Retention.LONGEST.minusDays(1_000), bench.answers(DONE).remaining());
    }

    @Test
    @Law({"S3", "S5"})
    default void aClaimInFlightDoesNotExpireByRetention(Bench bench) {
        bench.granted("first");
        bench.renew("first", Duration.ofDays(60));
        bench.elapse(Duration.ofDays(59));

        bench.held("second");
        bench.complete("first", DONE);
        bench.answers(DONE);
    }
}
