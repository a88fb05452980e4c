// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.testkit.ForwardingTime;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Manual time that lets a test wait for what is scheduled, before it moves time on. */
final class Ticks extends ForwardingTime {

    private final ManualTime time;
    private final BlockingQueue<Duration> scheduled = new LinkedBlockingQueue<>();

    Ticks() {
        this(new ManualTime());
    }

    private Ticks(ManualTime time) {
        super(time);
        this.time = time;
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        time.schedule(delay, task);
        scheduled.add(delay);
    }

    void advance(Duration span) {
        time.advance(span);
    }

    /** The next delay that is, or was, scheduled: a timeout for each attempt, and a pause after it. */
    Duration next() throws InterruptedException {
        Duration delay = scheduled.poll(30, TimeUnit.SECONDS);
        if (delay == null) {
            throw new AssertionError("Nothing was scheduled within 30 s.");
        }
        return delay;
    }
}
