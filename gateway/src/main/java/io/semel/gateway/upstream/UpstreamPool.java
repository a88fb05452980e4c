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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one upstream: idle ones, newest first, and exchanges that wait for one. A client that has half
 * of them gets none of the last quarter, and none that another client waits for.
 */
public final class UpstreamPool {

    private static final Object ANYBODY = new Object();

    private final Upstreams upstreams;
    private final Limits limits;
    private final MemoryBudget budget;
    private final int most;
    private final EventLoop loop;
    private final Upstream upstream;
    private final Deque<UpstreamConnection> resting = new ArrayDeque<>();
    /** By their clients, who take turns. */
    private final Map<Object, Deque<UpstreamExchange>> queues = new LinkedHashMap<>();

    private final Map<Object, Integer> taken = new HashMap<>();
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
        Object client = client(waiting);
        if (isCrowding(client)) {
            await(client, waiting);
            return;
        }
        UpstreamConnection link = resting.pollLast();
        while (link != null && !link.reuse()) {
            link = resting.pollLast();
        }
        if (link != null) {
            give(link, client, waiting);
        } else if (open < most) {
            connect(client, waiting);
        } else {
            await(client, waiting);
        }
    }

    private static Object client(UpstreamExchange waiting) {
        Object client = waiting.client();
        return client == null ? ANYBODY : client;
    }

    private boolean isCrowding(Object client) {
        int free = most - open + resting.size();
        return client != ANYBODY && free <= most / 4 && taken.getOrDefault(client, 0) >= Math.max(1, most / 2);
    }

    private void give(UpstreamConnection link, Object client, UpstreamExchange waiting) {
        taken.merge(client, 1, Integer::sum);
        link.takenFor(client);
        link.giveTo(waiting);
    }

    void connect(UpstreamExchange waiting) {
        connect(client(waiting), waiting);
    }

    private void connect(Object client, UpstreamExchange waiting) {
        open++;
        taken.merge(client, 1, Integer::sum);
        upstreams.open(loop, this, client, waiting);
    }

    /** Waits no longer than connecting may take: nothing was sent, so the request can be refused. */
    private void await(Object client, UpstreamExchange waiting) {
        queues.computeIfAbsent(client, any -> new ArrayDeque<>(1)).addLast(waiting);
        loop.schedule(() -> giveUp(client, waiting), limits.connectTime().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void giveUp(Object client, UpstreamExchange waiting) {
        Deque<UpstreamExchange> queue = queues.get(client);
        if (queue != null && queue.remove(waiting)) {
            if (queue.isEmpty()) {
                queues.remove(client);
            }
            waiting.unreachable(new TooMany("All " + open + " connections to " + upstream + " are in use."));
        }
    }

    /** An exchange has ended; its connection goes to the next one that waits, or becomes idle. */
    void keep(UpstreamConnection link) {
        left(link);
        link.rest(limits.keepTime());
        resting.addLast(link);
        serve();
    }

    private void left(UpstreamConnection link) {
        Object client = link.left();
        if (client != null) {
            taken.computeIfPresent(client, (any, count) -> count == 1 ? null : count - 1);
        }
    }

    /** There may be a connection for one that waits. */
    private void serve() {
        UpstreamExchange next = resting.isEmpty() && open >= most ? null : next();
        if (next != null) {
            acquire(next);
        }
    }

    private @Nullable UpstreamExchange next() {
        Object client = queues.keySet().stream()
                .filter(each -> !isCrowding(each))
                .findFirst()
                .orElse(null);
        if (client == null) {
            return null;
        }
        Deque<UpstreamExchange> queue = Objects.requireNonNull(queues.remove(client));
        UpstreamExchange next = queue.removeFirst();
        if (!queue.isEmpty()) {
            queues.put(client, queue);
        }
        return next;
    }

    /** A connection is closed, was never opened, or carries another protocol. */
    void closed(UpstreamConnection link) {
        resting.remove(link);
        if (!link.uncount()) {
            return;
        }
        open--;
        left(link);
        serve();
    }

    /** The limit of connections is reached, and none became free in time. */
    public static final class TooMany extends IOException {

        private static final long serialVersionUID = 1L;

        TooMany(String message) {
            super(message);
        }
    }
}
