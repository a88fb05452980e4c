// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.EventLoop;
import io.semel.gateway.UpstreamConnector.Waiting;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Upstream;
import java.util.HashMap;
import java.util.Map;

/** The connections of one event loop to upstreams; for that loop alone, so that nothing is locked. */
final class UpstreamPool {

    private final UpstreamConnector connector;
    private final Limits limits;
    private final Budget budget;
    private final int most;
    private final Map<Upstream, UpstreamLane> lanes = new HashMap<>();

    /** @param most connections to one upstream, of this loop */
    UpstreamPool(UpstreamConnector connector, Limits limits, Budget budget, int most) {
        this.connector = connector;
        this.limits = limits;
        this.budget = budget;
        this.most = most;
    }

    /** Hands over a connection that was kept, if one is still good, else a new one, or the next that is free. */
    void acquire(EventLoop loop, Upstream upstream, Waiting waiting) {
        lane(loop, upstream).acquire(waiting);
    }

    /** Hands over a new connection, or fails. */
    void connect(EventLoop loop, Upstream upstream, Waiting waiting) {
        lane(loop, upstream).connect(waiting);
    }

    private UpstreamLane lane(EventLoop loop, Upstream upstream) {
        return lanes.computeIfAbsent(upstream, to -> new UpstreamLane(connector, limits, budget, most, loop, to));
    }
}
