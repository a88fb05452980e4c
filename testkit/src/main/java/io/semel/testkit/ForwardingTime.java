// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A {@link Time} that leaves everything to another one; a subclass changes one thing about it. */
public class ForwardingTime implements Time {

    private final Time time;

    public ForwardingTime(Time time) {
        this.time = time;
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
        time.schedule(delay, task);
    }

    @Override
    public Runnable execute(Runnable task) {
        return time.execute(task);
    }

    @Override
    public double jitter() {
        return time.jitter();
    }
}
