// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.semel.Inspectable;
import io.semel.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What a store holds, as gauges: slots by state, bytes, and the age of the oldest call in flight. Counting can be dear, so the store
 * is asked at most once per span, whoever scrapes; while it cannot be asked, the gauges are not numbers.
 */
public final class StoreMeters implements MeterBinder {

    private final Sampled<Sample> samples;

    /** @param fresh for how long a count is good enough */
    public StoreMeters(Inspectable store, Duration fresh) {
        this.samples = new Sampled<>(() -> sample(store), fresh);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        slots(registry, Slot.State.HELD, counts -> counts.held());
        slots(registry, Slot.State.LAPSED, counts -> counts.lapsed());
        slots(registry, Slot.State.UNKNOWN, counts -> counts.unknown());
        slots(registry, Slot.State.SETTLED, counts -> counts.settled());
        slots(registry, Slot.State.GONE, counts -> counts.gone());
        Gauge.builder("semel.store.bytes", this, it -> it.samples.read(found -> found.counts.bytes()))
                .description("What the store takes, roughly")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("semel.oldest.in.flight", this, it -> it.samples.read(Sample::oldestSeconds))
                .description("The age of the oldest call that is claimed and not settled")
                .baseUnit("seconds")
                .register(registry);
    }

    private void slots(MeterRegistry registry, Slot.State state, ToDoubleFunction<Inspectable.Counts> count) {
        Gauge.builder("semel.slots", this, it -> it.samples.read(found -> count.applyAsDouble(found.counts)))
                .description("Keys that the store remembers")
                .tag("state", state.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private static Sample sample(Inspectable store) {
        List<Slot> oldest = store.page(Inspectable.View.IN_FLIGHT, null, 1).slots();
        double age = oldest.isEmpty() ? 0 : oldest.get(0).age().toMillis() / 1000.0;
        return new Sample(store.count(), age);
    }

    private record Sample(Inspectable.Counts counts, double oldestSeconds) {}
}
