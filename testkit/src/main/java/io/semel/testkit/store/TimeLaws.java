// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_REMEMBRANCE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Bench.PART_OF_LEASE;
import static io.semel.testkit.internal.laws.Bench.PART_OF_RETENTION;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Call;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time is the store's: nothing about a caller's process changes it (S8). */
interface TimeLaws {

    @ParameterizedTest
    @ValueSource(strings = {"Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kathmandu", "America/New_York"})
    @ResourceLock(Resources.TIME_ZONE)
    @Law("S8")
    default void aCallersTimeZoneChangesNothing(String zone, Bench bench) {
        bench.granted("first");
        Surroundings.inZone(zone, () -> {
            Bench elsewhere = bench.elsewhere();
            Expect.about(LEASE, bench.held("second").remaining());
            Expect.about(LEASE, elsewhere.held("third").remaining());
            elsewhere.renew("first", LEASE);
        });
        Expect.about(LEASE, bench.held("fourth").remaining());
        lives(bench, zone);
    }

    private static void lives(Bench bench, String zone) {
        bench.elapse(OVER_LEASE);
        Surroundings.inZone(zone, () -> {
            bench.elsewhere().granted("fifth");
            bench.complete("fifth", DONE);
            Expect.about(KEPT.retention(), bench.answers(DONE).remaining());
        });
        bench.elapse(PART_OF_RETENTION);
        bench.answers(DONE);
        bench.elapse(OVER_RETENTION.minus(PART_OF_RETENTION));
        bench.gone();
        bench.elapse(OVER_REMEMBRANCE.minus(OVER_RETENTION));
        Expect.free(bench.peek());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tr-TR", "ar-EG-u-nu-arab", "th-TH-u-ca-buddhist-nu-thai", "ja-JP-u-ca-japanese"})
    @ResourceLock(Resources.LOCALE)
    @Law({"S8", "S10"})
    default void aCallersLocaleChangesNothing(String locale, Bench bench) {
        bench.granted("first");
        Surroundings.inLocale(locale, () -> {
            Bench elsewhere = bench.elsewhere();
            Expect.about(LEASE, elsewhere.held("second").remaining());
            elsewhere.granted(elsewhere.call(elsewhere.key("TITLE I")), "third");
            elsewhere.complete("first", DONE);
        });
        bench.answers(DONE);
        bench.held(bench.call(bench.key("TITLE I")), "fourth");
        bench.elapse(OVER_RETENTION);
        bench.gone();
    }

    @Test
    @ResourceLock(Resources.TIME_ZONE)
    @Law("S8")
    default void theStoresOwnTimeKnowsNoZone(Bench bench) {
        Instant before = bench.store().now();
        Surroundings.inZone("Pacific/Kiritimati", () -> {
            near(before, bench.store().now());
            near(before, bench.elsewhere().store().now());
        });
    }

    @Test
    @Law("S8")
    default void allHandlesTellTheSameTime(Bench bench) {
        Bench elsewhere = bench.elsewhere();

        near(bench.store().now(), elsewhere.store().now());
        near(elsewhere.store().now(), bench.store().now());
    }

    private static void near(Instant earlier, Instant later) {
        Duration between = Duration.between(earlier, later);
        assertFalse(between.plusSeconds(1).isNegative(), () -> "time went back by " + between);
        assertTrue(between.compareTo(Duration.ofMinutes(2)) < 0, () -> "time jumped by " + between);
    }

    @Test
    @Law("S8")
    default void aHandleOpenedLongAgoAndANewOneAgree(Bench bench) {
        bench.granted("first");
        bench.elapse(Duration.ofDays(1));
        Bench recent = bench.elsewhere();
        recent.granted("second");
        Call another = bench.call(bench.key("another"));
        bench.granted(another, "another");

        for (Bench each : List.of(bench, recent)) {
            Expect.about(LEASE, each.held("third").remaining());
            Expect.about(LEASE, Expect.held(each.retry(another)).remaining());
        }
        bench.elapse(PART_OF_LEASE);
        for (Bench each : List.of(bench, recent)) {
            Expect.about(LEASE.minus(PART_OF_LEASE), each.held("third").remaining());
            Expect.about(
                    LEASE.minus(PART_OF_LEASE), Expect.held(each.retry(another)).remaining());
        }
    }

    @Test
    @Law("S8")
    default void whatACallSaysAboutItsOwnTimeChangesNothing(Bench bench) {
        Instant past = Instant.parse("1970-01-01T00:00:00Z");
        Instant future = Instant.parse("2999-12-31T23:59:59Z");
        bench.granted(bench.call().firstSentAt(past), "first");

        Expect.about(
                LEASE, bench.held(bench.call().firstSentAt(future), "second").remaining());
        bench.elapse(OVER_LEASE);
        bench.granted(bench.call().firstSentAt(future), "third");
        Expect.about(LEASE, bench.held(bench.call().firstSentAt(past), "fourth").remaining());
    }
}
