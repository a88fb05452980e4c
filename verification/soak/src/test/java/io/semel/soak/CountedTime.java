// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.semel.testkit.ForwardingTime;
import io.semel.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The system's time, counting the timers that are set. */
final class CountedTime extends ForwardingTime {

    private final AtomicLong pending = new AtomicLong();
    private final AtomicLong most = new AtomicLong();

    CountedTime() {
        super(Time.system());
    }

    /** The most timers that were set at the same moment since this was asked last. */
    long mostTimers() {
        return most.getAndSet(pending.get());
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        most.accumulateAndGet(pending.incrementAndGet(), Math::max);
        super.schedule(delay, () -> {
            pending.decrementAndGet();
            task.run();
        });
    }
}
