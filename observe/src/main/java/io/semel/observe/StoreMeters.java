// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.semel.store.Inspectable;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What a store holds, as gauges: slots by state, bytes, the age of the oldest call in flight, and how far its clock is from ours.
 * Counting can be dear, so the store is asked at most once per span, whoever scrapes, on a thread of its own. The gauges are not
 * numbers while it fails to answer; while it does not answer at all they keep their values, and their age grows.
 */
public final class StoreMeters implements MeterBinder {

    private final Sampled<Sample> samples;
    private final Sampled<Double> clock;

    /** @param fresh for how long a count is good enough */
    public StoreMeters(Inspectable store, Duration fresh) {
        this.samples = new Sampled<>(() -> sample(store), fresh);
        this.clock = new Sampled<>(() -> ahead(store), fresh);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        slots(registry, Slot.State.HELD, counts -> counts.held());
        slots(registry, Slot.State.LAPSED, counts -> counts.lapsed());
        slots(registry, Slot.State.UNKNOWN, counts -> counts.unknown());
        slots(registry, Slot.State.SETTLED, counts -> counts.settled());
        slots(registry, Slot.State.GONE, counts -> counts.gone());
        gauge("semel.store.bytes", () -> samples.read(found -> found.counts.bytes()))
                .description("What the store takes, roughly")
                .baseUnit("bytes")
                .register(registry);
        gauge("semel.oldest.in.flight", () -> samples.read(Sample::oldestSeconds))
                .description("The age of the oldest call that is claimed and not settled")
                .baseUnit("seconds")
                .register(registry);
        gauge("semel.store.sample.age", samples::age)
                .description("How long ago the store was asked for what these gauges say")
                .baseUnit("seconds")
                .register(registry);
        gauge("semel.store.clock.ahead", () -> clock.read(seconds -> seconds))
                .description("How far the store's clock is ahead of this process's")
                .baseUnit("seconds")
                .register(registry);
    }

    private void slots(MeterRegistry registry, Slot.State state, ToDoubleFunction<Inspectable.Counts> count) {
        gauge("semel.slots", () -> samples.read(found -> count.applyAsDouble(found.counts)))
                .description("Keys that the store remembers")
                .tag("state", state.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    /** Of a supplier, which a registry holds strongly; of an object it would forget what nobody else holds. */
    static Gauge.Builder<Supplier<Number>> gauge(String name, Supplier<Number> value) {
        return Gauge.builder(name, value);
    }

    private static Sample sample(Inspectable store) {
        List<Slot> oldest = store.page(Inspectable.View.IN_FLIGHT, null, 1).slots();
        double age = oldest.isEmpty() ? 0 : oldest.get(0).age().toMillis() / 1000.0;
        return new Sample(store.count(), age);
    }

    /** The store tells the time somewhere between the question and its answer, most likely in the middle. */
    private static double ahead(Inspectable store) {
        if (!(store instanceof Store timed)) {
            return Double.NaN;
        }
        Instant before = Instant.now();
        Instant told = timed.now();
        Duration trip = Duration.between(before, Instant.now());
        return Duration.between(before.plus(trip.dividedBy(2)), told).toMillis() / 1000.0;
    }

    private record Sample(Inspectable.Counts counts, double oldestSeconds) {}
}
