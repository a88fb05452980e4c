// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.sim.engine;

import io.semel.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A node's time that runs what is scheduled so many times later than asked for, or never. */
record WrongClocks(Time time, int factor) implements Time {

    static Time withoutHeartbeat(Time time) {
        return new WrongClocks(time, 0);
    }

    static Time withLateHeartbeat(Time time) {
        return new WrongClocks(time, 4);
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        time.sleep(duration);
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        return time.await(future, atMost);
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        if (factor > 0) {
            time.schedule(delay.multipliedBy(factor), task);
        }
    }

    @Override
    public double jitter() {
        return time.jitter();
    }
}
