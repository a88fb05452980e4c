// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A time by which something has to happen, moved at no cost: its timer looks, when it rings, whether it rang too early. */
final class Deadline {

    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final Runnable missed;
    private long due = NEVER;
    private long rings = NEVER;

    Deadline(EventLoop loop, Runnable missed) {
        this.loop = loop;
        this.missed = missed;
    }

    void in(Duration span) {
        due = System.nanoTime() + span.toNanos();
        if (rings == NEVER || rings - due > 0) {
            arm(span.toNanos());
        }
    }

    void never() {
        due = NEVER;
    }

    private void arm(long nanos) {
        long at = System.nanoTime() + nanos;
        rings = at;
        loop.schedule(() -> ring(at), nanos, TimeUnit.NANOSECONDS);
    }

    private void ring(long at) {
        if (rings != at) {
            // A later one was set to ring sooner.
            return;
        }
        rings = NEVER;
        if (due == NEVER) {
            return;
        }
        long left = due - System.nanoTime();
        if (left > 0) {
            arm(left);
        } else {
            due = NEVER;
            missed.run();
        }
    }
}
