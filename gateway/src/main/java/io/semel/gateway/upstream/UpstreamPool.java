// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.upstream;

import io.netty.channel.EventLoop;
import io.semel.gateway.budget.Charge;
import io.semel.gateway.budget.MemoryBudget;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Upstream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** The connections of one event loop to one upstream: idle ones, newest first, and exchanges that wait for one. */
public final class UpstreamPool {

    private final Upstreams upstreams;
    private final Limits limits;
    private final MemoryBudget budget;
    private final int most;
    private final EventLoop loop;
    private final Upstream upstream;
    private final Deque<UpstreamConnection> resting = new ArrayDeque<>();
    private final Deque<UpstreamExchange> queue = new ArrayDeque<>();
    private int open;

    UpstreamPool(Upstreams upstreams, Limits limits, MemoryBudget budget, int most, EventLoop loop, Upstream upstream) {
        this.upstreams = upstreams;
        this.limits = limits;
        this.budget = budget;
        this.most = most;
        this.loop = loop;
        this.upstream = upstream;
    }

    Upstream upstream() {
        return upstream;
    }

    /** For bytes that the upstream makes us hold, which are no client's share. */
    Charge charge() {
        return new Charge(budget);
    }

    void acquire(UpstreamExchange waiting) {
        UpstreamConnection link = resting.pollLast();
        while (link != null && !link.reuse()) {
            link = resting.pollLast();
        }
        if (link != null) {
            link.giveTo(waiting);
        } else if (open < most) {
            connect(waiting);
        } else {
            await(waiting);
        }
    }

    void connect(UpstreamExchange waiting) {
        open++;
        upstreams.open(loop, this, waiting);
    }

    /** Waits no longer than connecting may take: nothing was sent, so the request can be refused. */
    private void await(UpstreamExchange waiting) {
        queue.addLast(waiting);
        loop.schedule(() -> giveUp(waiting), limits.connectTime().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void giveUp(UpstreamExchange waiting) {
        if (queue.remove(waiting)) {
            waiting.unreachable(new TooMany("All " + open + " connections to " + upstream + " are in use."));
        }
    }

    /** An exchange has ended; its connection goes to the next one that waits, or becomes idle. */
    void keep(UpstreamConnection link) {
        UpstreamExchange next = queue.pollFirst();
        if (next != null && link.reuse()) {
            link.giveTo(next);
        } else if (next != null) {
            connect(next);
        } else {
            link.rest(limits.keepTime());
            resting.addLast(link);
        }
    }

    /** A connection is closed, was never opened, or carries another protocol. */
    void closed(UpstreamConnection link) {
        resting.remove(link);
        if (!link.uncount()) {
            return;
        }
        open--;
        UpstreamExchange next = open < most ? queue.pollFirst() : null;
        if (next != null) {
            connect(next);
        }
    }

    /** The limit of connections is reached, and none became free in time. */
    public static final class TooMany extends IOException {

        private static final long serialVersionUID = 1L;

        TooMany(String message) {
            super(message);
        }
    }
}
