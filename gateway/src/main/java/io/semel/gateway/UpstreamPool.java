// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.EventLoop;
import io.semel.gateway.UpstreamConnector.Waiting;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Upstream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** The unused connections of one event loop, newest first; for that loop alone, so that nothing is locked. */
final class UpstreamPool {

    private static final int MOST_KEPT = 1024;

    private final UpstreamConnector connector;
    private final Limits limits;
    private final Map<Upstream, Deque<UpstreamLink>> kept = new HashMap<>();

    UpstreamPool(UpstreamConnector connector, Limits limits) {
        this.connector = connector;
        this.limits = limits;
    }

    /** Hands over a connection that was kept, if one is still good, else a new one. */
    void acquire(EventLoop loop, Upstream upstream, Waiting waiting) {
        Deque<UpstreamLink> links = links(upstream);
        UpstreamLink link = links.pollLast();
        while (link != null && !link.reuse()) {
            link = links.pollLast();
        }
        if (link != null) {
            waiting.connected(link);
        } else {
            connect(loop, upstream, waiting);
        }
    }

    void connect(EventLoop loop, Upstream upstream, Waiting waiting) {
        connector.connect(loop, upstream, this, waiting);
    }

    void keep(UpstreamLink link) {
        Deque<UpstreamLink> links = links(link.upstream());
        if (links.size() < MOST_KEPT) {
            link.rest(limits.keepTime());
            links.addLast(link);
        } else {
            link.close();
        }
    }

    void drop(UpstreamLink link) {
        links(link.upstream()).remove(link);
    }

    private Deque<UpstreamLink> links(Upstream upstream) {
        return kept.computeIfAbsent(upstream, any -> new ArrayDeque<>());
    }
}
