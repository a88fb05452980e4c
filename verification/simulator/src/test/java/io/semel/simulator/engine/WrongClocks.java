// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.testkit.ForwardingTime;
import io.semel.time.Time;
import java.time.Duration;

/** A node's time that has one thread for everything, and runs what is scheduled so many times later than asked for, or never. */
final class WrongClocks extends ForwardingTime {

    private final int factor;

    private WrongClocks(Time time, int factor) {
        super(time);
        this.factor = factor;
    }

    static Time withoutHeartbeat(Time time) {
        return new WrongClocks(time, 0);
    }

    static Time withLateHeartbeat(Time time) {
        return new WrongClocks(time, 4);
    }

    /** Renewals on the one thread of all timers, none of them ever given up. */
    static Time withOneThread(Time time) {
        return new WrongClocks(time, 1);
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        if (factor > 0) {
            super.schedule(delay.multipliedBy(factor), task);
        }
    }

    @Override
    public Runnable execute(Runnable task) {
        schedule(Duration.ZERO, task);
        return () -> {};
    }
}
