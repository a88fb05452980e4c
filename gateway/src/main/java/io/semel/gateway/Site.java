// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.semel.gateway.Traffic.Count;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Settings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What all connections of one gateway share. */
final class Site {

    private static final System.Logger LOG = System.getLogger(Site.class.getName());

    final Limits limits;
    final List<Route> routes;
    final Workers workers;
    final Callers callers;
    final boolean sessions;
    final Traffic traffic = new Traffic();
    final Budget budget;
    final AtomicInteger connections = new AtomicInteger();
    /** Connections that can be told not to begin anything new. */
    final ChannelGroup streaming = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    /** Connections that cannot be told, and are closed between two requests. */
    final ChannelGroup plain = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    volatile boolean draining;

    private final FastThreadLocal<UpstreamPool> pools;

    Site(
            Settings settings,
            List<Route> routes,
            Workers workers,
            Callers callers,
            UpstreamConnector connector,
            int loops) {
        this.limits = settings.limits();
        this.sessions = settings.sessions() != null;
        this.routes = routes;
        this.workers = workers;
        this.callers = callers;
        this.budget = new Budget(limits.bufferBytes());
        int ofEachLoop = Math.max(1, limits.upstreamConnections() / loops);
        this.pools = new FastThreadLocal<>() {
            @Override
            protected UpstreamPool initialValue() {
                return new UpstreamPool(connector, limits, ofEachLoop);
            }
        };
    }

    /** The first that takes path and method; else the first that takes the path, which lets the method pass. */
    Route route(String path, String method) {
        Route byPath = null;
        for (Route route : routes) {
            if (route.takes(path, method)) {
                return route;
            }
            if (byPath == null && route.takes(path)) {
                byPath = route;
            }
        }
        if (byPath == null) {
            throw new IllegalStateException("The last route takes every path.");
        }
        return byPath;
    }

    /** A connection is closed because of this: what clients do is counted, since they decide how often; our own faults are logged. */
    void faulty(Throwable cause) {
        if (cause instanceof DecoderException || cause instanceof Http2Exception) {
            traffic.add(Count.MALFORMED);
        } else if (!(cause instanceof IOException)) {
            LOG.log(System.Logger.Level.WARNING, "A connection was closed because of a fault.", cause);
        }
    }

    /** The connections to upstreams that belong to the calling event loop. */
    UpstreamPool pool() {
        return pools.get();
    }
}
