// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.activity;

import io.semel.Event;
import io.semel.Listener;
import io.semel.Outcome;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The outcomes of the calls of the last minutes, second by second. */
public final class CallRates implements Listener {

    static final int SECONDS = 300;
    private static final int MINUTE = 60;
    /** So that a second that begins meanwhile takes no place that is being read. */
    private static final int SPARE = 10;

    private final LongSupplier nanos;
    private final long start;
    private final AtomicReferenceArray<CallCounts> ring = new AtomicReferenceArray<>(SECONDS + SPARE);

    public CallRates(LongSupplier nanos) {
        this.nanos = nanos;
        this.start = nanos.getAsLong();
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.Executed executed) {
            Duration whole = executed.claiming().plus(executed.working()).plus(executed.settling());
            now().answered(Kind.EXECUTED, whole);
        } else if (event instanceof Event.Replayed replayed) {
            now().answered(Kind.REPLAYED, replayed.claiming());
        } else if (event instanceof Event.WasBusy) {
            now().add(Kind.BUSY);
        } else if (event instanceof Event.WasRefused refused) {
            now().add(kind(refused.reason()));
        } else if (event instanceof Event.GivenUp || (event instanceof Event.Unknown unknown && unknown.ran())) {
            now().add(Kind.UNKNOWN);
        } else if (event instanceof Event.Released) {
            now().add(Kind.RELEASED);
        } else if (event instanceof Event.ClaimFailed || event instanceof Event.SettleFailed) {
            now().add(Kind.FAILED);
        }
    }

    private static Kind kind(Outcome.Reason reason) {
        return switch (reason) {
            case MISMATCH -> Kind.MISMATCH;
            case UNKNOWN -> Kind.UNKNOWN;
            default -> Kind.REFUSED;
        };
    }

    private long second() {
        return TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - start);
    }

    private CallCounts now() {
        return at(second());
    }

    private CallCounts at(long number) {
        int place = (int) (number % ring.length());
        CallCounts there = ring.get(place);
        while (there == null || there.number < number) {
            ring.compareAndSet(place, there, new CallCounts(number));
            there = ring.get(place);
        }
        return there;
    }

    /** Whole seconds after the one given, the oldest first, and the last minute taken together. */
    public ObjectNode shown(long after) {
        long current = second();
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("second", current);
        ArrayNode seconds = shown.putArray("seconds");
        for (long number = Math.max(after + 1, current - SECONDS); number < current; number++) {
            if (number >= 0) {
                seconds.add(shown(at(number)));
            }
        }
        CallCounts minute = new CallCounts(current);
        for (long number = Math.max(0, current - MINUTE); number < current; number++) {
            minute.add(at(number));
        }
        shown.set("minute", shown(minute));
        return shown;
    }

    private static ObjectNode shown(CallCounts second) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("second", second.number);
        for (Kind kind : Kind.values()) {
            shown.put(kind.name().toLowerCase(Locale.ROOT), second.count(kind));
        }
        shown.put("p50Micros", second.spans.micros(0.5));
        shown.put("p99Micros", second.spans.micros(0.99));
        return shown;
    }

    /** The outcome of a call. */
    enum Kind {
        EXECUTED,
        REPLAYED,
        BUSY,
        MISMATCH,
        UNKNOWN,
        /** For any other reason. */
        REFUSED,
        /** It failed, or its service could not be reached, and its key is free for a retry. */
        RELEASED,
        /** The store could not be asked or told. */
        FAILED
    }
}
