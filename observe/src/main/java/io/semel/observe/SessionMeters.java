// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.semel.Event;
import io.semel.Listener;
import io.semel.session.SessionStore;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A {@link Listener} of an engine on a store of sessions: counts its requests by operation and outcome, never by session, and asks
 * how many sessions there are; see {@code docs/metrics.md}.
 */
public final class SessionMeters implements Listener {

    private final MeterRegistry registry;
    private final Sampled<SessionStore.Counts> counts;
    private final ConcurrentMap<Name, Counter> requests = new ConcurrentHashMap<>();

    /**
     * Counts from now on.
     *
     * @param cap how many sessions the store may hold
     * @param fresh for how long a count is good enough
     */
    public SessionMeters(SessionStore store, int cap, Duration fresh, MeterRegistry registry) {
        this.registry = registry;
        this.counts = new Sampled<>(store::countSessions, fresh);
        StoreMeters.gauge("semel.sessions", () -> counts.read(SessionStore.Counts::sessions))
                .description("Sessions that live")
                .register(registry);
        StoreMeters.gauge("semel.sessions.cap", () -> cap)
                .description("How many sessions may live")
                .register(registry);
        StoreMeters.gauge("semel.session.slots", () -> counts.read(SessionStore.Counts::requests))
                .description("Requests of sessions that are in flight or keep an answer")
                .register(registry);
        StoreMeters.gauge("semel.session.sample.age", counts::age)
                .description("How long ago the store was asked for what these gauges say")
                .baseUnit("seconds")
                .register(registry);
    }

    @Override
    public void on(Event event) {
        String outcome = CallMeters.outcome(event);
        if (outcome != null) {
            requests.computeIfAbsent(new Name(event.operation(), outcome), this::counter)
                    .increment();
        }
    }

    private Counter counter(Name name) {
        return Counter.builder("semel.session.requests")
                .description("Requests of sessions, by what became of them")
                .tag("operation", name.operation)
                .tag("outcome", name.outcome)
                .register(registry);
    }

    private record Name(String operation, String outcome) {}
}
