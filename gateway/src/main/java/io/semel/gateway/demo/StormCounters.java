// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import io.semel.gateway.admin.activity.LatencyHistogram;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of what the clients observed. */
final class StormCounters {

    final LongAdder requests = new LongAdder();
    final LongAdder deliveries = new LongAdder();
    final LongAdder replays = new LongAdder();
    final LongAdder busy = new LongAdder();
    final LongAdder unknown = new LongAdder();
    final LongAdder conflicts = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder lostAnswers = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder differentAnswers = new LongAdder();
    final LongAdder unanswered = new LongAdder();
    final LatencyHistogram spans = new LatencyHistogram();

    private final Map<String, String> receipts = new ConcurrentHashMap<>();

    /** A client has an answer; all of one order have to be the same. */
    void answered(String order, String receipt) {
        String first = receipts.putIfAbsent(order, receipt);
        if (first != null && !first.equals(receipt)) {
            differentAnswers.increment();
        }
    }
}
