// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Event;
import io.semel.Key;
import io.semel.Outcome;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CallRatesTest {

    private static final Key KEY = Key.of("scope", "id");
    private static final Duration MILLI = Duration.ofMillis(1);

    /** Near the end of what a long can count, where nanoTime may begin. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L);

    private final CallRates rates = new CallRates(nanos::get);

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void everySecondHasItsOwnCounts() {
        rates.on(new Event.Executed("pay", KEY, 1, false, MILLI, MILLI, MILLI));
        rates.on(new Event.Replayed("pay", KEY, MILLI));
        pass(1);
        rates.on(new Event.WasBusy("pay", KEY, MILLI));
        rates.on(new Event.WasRefused("pay", KEY, Outcome.Reason.MISMATCH));
        rates.on(new Event.WasRefused("pay", KEY, Outcome.Reason.UNKNOWN));
        rates.on(new Event.WasRefused("pay", KEY, Outcome.Reason.GONE));
        rates.on(new Event.Released("pay", KEY, 1, null));
        pass(1);

        ObjectNode shown = rates.shown(-1);
        assertThat(shown.at("/seconds/0/executed").asInt()).isEqualTo(1);
        assertThat(shown.at("/seconds/0/replayed").asInt()).isEqualTo(1);
        assertThat(shown.at("/seconds/0/busy").asInt()).isZero();
        assertThat(shown.at("/seconds/1/busy").asInt()).isEqualTo(1);
        assertThat(shown.at("/seconds/1/mismatch").asInt()).isEqualTo(1);
        assertThat(shown.at("/seconds/1/unknown").asInt()).isEqualTo(1);
        assertThat(shown.at("/seconds/1/refused").asInt()).isEqualTo(1);
        assertThat(shown.at("/seconds/1/released").asInt()).isEqualTo(1);
        assertThat(shown.at("/minute/executed").asInt()).isEqualTo(1);
        assertThat(shown.at("/minute/busy").asInt()).isEqualTo(1);
    }

    @Test
    void onlyWholeSecondsAfterTheOneAskedForAreShown() {
        pass(10);
        assertThat(rates.shown(7).path("seconds"))
                .extracting(each -> each.path("second").asInt())
                .containsExactly(8, 9);
    }

    @Test
    void whatIsOlderThanItsLengthIsForgotten() {
        rates.on(new Event.WasBusy("pay", KEY, MILLI));
        pass(CallRates.SECONDS + 100);
        rates.on(new Event.WasBusy("pay", KEY, MILLI));
        pass(1);

        ObjectNode shown = rates.shown(-1);
        assertThat(shown.path("seconds")).hasSize(CallRates.SECONDS);
        int sum = 0;
        for (var each : shown.path("seconds")) {
            sum += each.path("busy").asInt();
        }
        assertThat(sum).isEqualTo(1);
    }

    @Test
    void quantilesAreAtMostAnEighthTooLong() {
        LatencyHistogram spans = new LatencyHistogram();
        for (int i = 1; i <= 100; i++) {
            spans.add(Duration.ofMillis(i));
        }
        assertThat(spans.micros(0.5)).isBetween(50_000L, 56_250L);
        assertThat(spans.micros(0.99)).isBetween(99_000L, 111_375L);
        assertThat(new LatencyHistogram().micros(0.99)).isZero();
        spans.add(Duration.ofDays(1));
        assertThat(spans.micros(1)).isPositive();
    }
}
