// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.activity;

import io.semel.gateway.admin.activity.CallRates.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** The outcomes of the calls of one second, and the latency of those that were answered. */
final class CallCounts {

    final long number;
    final LatencyHistogram spans = new LatencyHistogram();
    private final Map<Kind, AtomicInteger> counts = new EnumMap<>(Kind.class);

    CallCounts(long number) {
        this.number = number;
        for (Kind kind : Kind.values()) {
            counts.put(kind, new AtomicInteger());
        }
    }

    void add(Kind kind) {
        counter(kind).incrementAndGet();
    }

    void answered(Kind kind, Duration span) {
        add(kind);
        spans.add(span);
    }

    void add(CallCounts other) {
        for (Kind kind : Kind.values()) {
            counter(kind).addAndGet(other.count(kind));
        }
        spans.add(other.spans);
    }

    int count(Kind kind) {
        return counter(kind).get();
    }

    private AtomicInteger counter(Kind kind) {
        return Objects.requireNonNull(counts.get(kind));
    }
}
