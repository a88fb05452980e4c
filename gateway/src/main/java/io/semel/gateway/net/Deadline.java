// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A deadline on a connection that is cheap to move: its timer checks when it fires whether it fired too early. The timer is cancelled
 * with the connection, so that it does not keep a closed one in memory.
 */
public final class Deadline {

    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final Runnable missed;
    private long due = NEVER;
    private long rings = NEVER;
    private @Nullable Future<?> timer;
    private boolean closed;

    public Deadline(Channel channel, Runnable missed) {
        this.loop = channel.eventLoop();
        this.missed = missed;
        channel.closeFuture().addListener(unused -> close());
    }

    public void in(Duration span) {
        due = System.nanoTime() + span.toNanos();
        if (rings == NEVER || rings - due > 0) {
            arm(span.toNanos());
        }
    }

    public void never() {
        due = NEVER;
    }

    private void arm(long nanos) {
        cancel();
        if (!closed) {
            rings = System.nanoTime() + nanos;
            timer = loop.schedule(this::ring, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void ring() {
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

    private void close() {
        closed = true;
        cancel();
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
