// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.semel.Event;
import io.semel.Listener;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A {@link Listener} that counts and times calls in Micrometer, by operation and outcome, never by key; see {@code docs/metrics.md}. */
public final class CallMeters implements Listener {

    /** What {@code semel.claim} and {@code semel.settle} are counted by, so that alerts can ask for a quantile. */
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    private static final Map<Class<? extends Event>, String> ENDS = Map.of(
            Event.Replayed.class, "replayed",
            Event.WasBusy.class, "busy",
            Event.Released.class, "released",
            Event.ClaimFailed.class, "claim_failed",
            Event.SettleFailed.class, "settle_failed",
            Event.LostLease.class, "lease_lost",
            Event.GivenUp.class, "unknown");

    private final MeterRegistry registry;
    private final ConcurrentMap<Name, Counter> calls = new ConcurrentHashMap<>();
    private final ConcurrentMap<Name, Timer> timers = new ConcurrentHashMap<>();

    public CallMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void on(Event event) {
        String operation = event.operation();
        String outcome = outcome(event);
        if (outcome == null || event instanceof Event.Unknown) {
            incident(operation, event);
        }
        if (outcome == null) {
            return;
        }
        call(operation, outcome);
        if (event instanceof Event.Executed executed) {
            time("semel.claim", operation, outcome, executed.claiming());
            time("semel.work", operation, outcome, executed.working());
            time("semel.settle", operation, outcome, executed.settling());
        } else if (event instanceof Event.Replayed replayed) {
            time("semel.claim", operation, outcome, replayed.claiming());
        }
    }

    /** What became of a call; null where the event tells of something else. */
    static @Nullable String outcome(Event event) {
        if (event instanceof Event.Executed executed) {
            return executed.rejected() ? "rejected" : "executed";
        }
        if (event instanceof Event.Replayed replayed && !replayed.waited().isZero()) {
            return "waited";
        }
        if (event instanceof Event.WasRefused refused) {
            return refused.reason().name().toLowerCase(Locale.ROOT);
        }
        if (event instanceof Event.Unknown unknown && unknown.ran()) {
            return "unknown";
        }
        return ENDS.get(event.getClass());
    }

    private void incident(String operation, Event event) {
        if (event instanceof Event.Operated operated) {
            String act = operated.act().name().toLowerCase(Locale.ROOT);
            registry.counter("semel.operated", "operation", operation, "act", act)
                    .increment();
        } else {
            registry.counter("semel.incidents", "operation", operation, "kind", kind(event))
                    .increment();
        }
    }

    private static String kind(Event event) {
        if (event instanceof Event.Abandoned) {
            return "abandoned";
        }
        if (event instanceof Event.Unknown) {
            return "held_unknown";
        }
        if (event instanceof Event.Unreadable) {
            return "answer_unreadable";
        }
        if (event instanceof Event.Overdue) {
            return "overdue";
        }
        return event instanceof Event.NotRetained ? "answer_not_kept" : "renew_failed";
    }

    private void call(String operation, String outcome) {
        calls.computeIfAbsent(new Name("semel.calls", operation, outcome), this::counter)
                .increment();
    }

    private void time(String meter, String operation, String outcome, Duration span) {
        timers.computeIfAbsent(new Name(meter, operation, outcome), this::timer).record(span);
    }

    private Counter counter(Name name) {
        return Counter.builder(name.meter)
                .description("Calls, by what became of them")
                .tags(name.tags())
                .register(registry);
    }

    private Timer timer(Name name) {
        Timer.Builder timer = Timer.builder(name.meter).tags(name.tags());
        return (name.meter.equals("semel.work") ? timer : timer.serviceLevelObjectives(BOUNDS)).register(registry);
    }

    /** Finding a meter again in the registry costs more than to count. */
    private record Name(String meter, String operation, String outcome) {

        Tags tags() {
            return Tags.of("operation", operation, "outcome", outcome);
        }
    }
}
