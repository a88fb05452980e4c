// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import io.semel.Event;
import io.semel.Listener;
import io.semel.Outcome;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts while the storm lasts; what the engine does it hears from the engine itself. */
final class Tally implements Listener {

    final LongAdder requests = new LongAdder();
    final LongAdder deliveries = new LongAdder();
    final LongAdder replays = new LongAdder();
    final LongAdder busy = new LongAdder();
    final LongAdder conflicts = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder lostRequests = new LongAdder();
    final LongAdder lostAnswers = new LongAdder();
    final LongAdder differentAnswers = new LongAdder();
    final LongAdder unanswered = new LongAdder();

    private final Map<String, String> receipts = new ConcurrentHashMap<>();
    private long[] nanos = new long[1 << 12];
    private int measured;

    @Override
    public void on(Event event) {
        if (event instanceof Event.Replayed) {
            replays.increment();
        } else if (event instanceof Event.WasBusy) {
            busy.increment();
        } else if (event instanceof Event.WasRefused refused && refused.reason() == Outcome.Reason.MISMATCH) {
            conflicts.increment();
        }
    }

    /** An answer left the service, heard or not; all of one order have to be the same. */
    void answered(String order, String receipt) {
        String first = receipts.putIfAbsent(order, receipt);
        if (first != null && !first.equals(receipt)) {
            differentAnswers.increment();
        }
    }

    synchronized void took(long duration) {
        if (measured == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * nanos.length);
        }
        nanos[measured++] = duration;
    }

    /** The duration that this part of the deliveries did not exceed, in milliseconds. */
    synchronized double millis(double part) {
        if (measured == 0) {
            return 0;
        }
        Arrays.sort(nanos, 0, measured);
        return nanos[(int) Math.min(measured - 1, Math.round(part * measured))] / 1e6;
    }
}
