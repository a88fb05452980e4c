// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreMetersTest {

    private static double slots(MeterRegistry registry, String state) {
        return registry.get("semel.slots").tag("state", state).gauge().value();
    }

    @Test
    void slotsAreCountedByState() {
        Traffic traffic = new Traffic().executed("1").executed("2").started().unknown();
        assertThat(slots(traffic.registry, "settled")).isEqualTo(2);
        assertThat(slots(traffic.registry, "held")).isOne();
        assertThat(slots(traffic.registry, "unknown")).isOne();
        assertThat(traffic.registry.get("semel.store.bytes").gauge().value()).isPositive();
    }

    @Test
    void theOldestCallInFlightHasAnAgeAndNoneHasNone() {
        Traffic traffic = new Traffic();
        assertThat(traffic.registry.get("semel.oldest.in.flight").gauge().value())
                .isZero();
        traffic.started();
        long start = System.nanoTime();
        while (System.nanoTime() - start < 2_000_000) {
            Thread.onSpinWait();
        }
        assertThat(traffic.registry.get("semel.oldest.in.flight").gauge().value())
                .isPositive();
    }

    @Test
    void aCountIsGoodForItsSpan() {
        MeterRegistry registry = new SimpleMeterRegistry();
        Traffic traffic = new Traffic();
        new StoreMeters(traffic.store, Duration.ofHours(1)).bindTo(registry);
        assertThat(slots(registry, "settled")).isZero();
        traffic.executed("1");
        assertThat(slots(registry, "settled")).isZero();
    }

    @Test
    void aStoreThatCannotBeAskedGivesNoNumbers() {
        MeterRegistry registry = new SimpleMeterRegistry();
        new StoreMeters(new DownStore(), Duration.ZERO).bindTo(registry);
        assertThat(slots(registry, "held")).isNaN();
        assertThat(registry.get("semel.store.bytes").gauge().value()).isNaN();
    }
}
