// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.semel.store.Inspectable;
import io.semel.store.Purger;
import io.semel.testkit.ForwardingSlots;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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
    void gaugesOutliveACollectionThoughNobodyKeepsTheMeters() throws Exception {
        MeterRegistry registry = new SimpleMeterRegistry();
        Traffic traffic = new Traffic().executed("1");
        new StoreMeters(traffic.store, Duration.ZERO).bindTo(registry);
        new PurgeMeters("keys", new Purger(limit -> 0, Duration.ofHours(1), 1, new PurgeLog("keys"))).bindTo(registry);
        new SessionMeters(traffic.sessions, 4, Duration.ZERO, registry);
        collectGarbage();
        assertThat(slots(registry, "settled")).isOne();
        for (Meter meter : registry.getMeters()) {
            for (Measurement each : meter.measure()) {
                assertThat(each.getValue()).as(meter.getId().getName()).isNotNaN();
            }
        }
    }

    private static void collectGarbage() throws InterruptedException {
        WeakReference<Object> canary = new WeakReference<>(new Object());
        while (canary.get() != null) {
            System.gc();
            Thread.onSpinWait();
        }
    }

    @Test
    void aStoreThatBlocksHoldsNoScrapeAndItsLastCountStaysWithItsAge() throws Exception {
        MeterRegistry registry = new SimpleMeterRegistry();
        Traffic traffic = new Traffic().executed("1");
        CountDownLatch blocked = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Inspectable store = new ForwardingSlots(traffic.store) {
            @Override
            public Counts count() {
                if (asked.incrementAndGet() > 1) {
                    await(blocked);
                }
                return super.count();
            }
        };
        new StoreMeters(store, Duration.ZERO).bindTo(registry);
        assertThat(slots(registry, "settled")).isOne();
        double age = registry.get("semel.store.sample.age").gauge().value();
        traffic.executed("2");
        for (int i = 0; i < 20; i++) {
            assertThat(slots(registry, "settled")).isOne();
        }
        assertThat(asked).as("questions under way").hasValue(2);
        assertThat(registry.get("semel.store.sample.age").gauge().value()).isGreaterThan(age);
        blocked.countDown();
        while (slots(registry, "settled") < 2) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theClockOfTheStoreIsComparedWithOurs() {
        Traffic traffic = new Traffic();
        assertThat(traffic.registry.get("semel.store.clock.ahead").gauge().value())
                .isBetween(-5.0, 5.0);
    }

    @Test
    void aStoreThatCannotBeAskedGivesNoNumbers() {
        MeterRegistry registry = new SimpleMeterRegistry();
        new StoreMeters(new DownStore(), Duration.ZERO).bindTo(registry);
        assertThat(slots(registry, "held")).isNaN();
        assertThat(registry.get("semel.store.bytes").gauge().value()).isNaN();
    }
}
