// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.semel.store.Purger;

/** What a {@link Purger} drops, how often it fails, and for how long it has been behind. */
public final class PurgeMeters implements MeterBinder {

    private final String records;
    private final Purger purger;

    /** @param records what is purged: keys, sessions */
    public PurgeMeters(String records, Purger purger) {
        this.records = records;
        this.purger = purger;
    }

    /** Meters hold their object weakly, so that it is the registry: what the functions capture lives as long. */
    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("semel.purged", registry, any -> purger.purged())
                .description("Expired records that were dropped or shrunk")
                .tag("records", records)
                .register(registry);
        FunctionCounter.builder("semel.purge.failures", registry, any -> purger.failures())
                .description("Batches of a purge that failed")
                .tag("records", records)
                .register(registry);
        Gauge.builder("semel.purge.behind", () -> purger.behind().toMillis() / 1000.0)
                .description("For how long every batch of a purge has come back full")
                .baseUnit("seconds")
                .tag("records", records)
                .register(registry);
    }
}
