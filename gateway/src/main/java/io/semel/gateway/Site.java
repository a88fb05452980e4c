// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.semel.gateway.Traffic.Count;
import io.semel.gateway.access.AccessLog;
import io.semel.gateway.callers.Callers;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.TrustedProxies;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What all connections of one gateway share. */
final class Site {

    private static final Warnings LOG = new Warnings(Site.class);

    final Limits limits;
    final RouteTable routes;
    final Workers workers;
    final Callers callers;
    final boolean sessions;
    final HeaderFilter headers;
    final RequestIds ids;
    private final @Nullable AccessLog accessLog;
    final Quotas quotas;
    final TrustedProxies trusted;
    final Forwarding forwarding;
    final Traffic traffic = new Traffic();
    final Budget budget;
    final Shares shares;
    final Upstreams upstreams;
    final AtomicInteger tunnels = new AtomicInteger();
    final AtomicInteger connections = new AtomicInteger();
    /** Connections that can be told not to begin anything new. */
    final ChannelGroup streaming = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    /** Connections that cannot be told, and are closed between two requests. */
    final ChannelGroup plain = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    volatile boolean draining;


    Site(
            Settings settings,
            List<Route> routes,
            Workers workers,
            Callers callers,
            Transport transport,
            @Nullable ReloadingTls upstreamTls,
            @Nullable AccessLog accessLog,
            int loops) {
        this.limits = settings.limits();
        this.sessions = settings.sessions() != null;
        this.headers = new HeaderFilter(settings);
        this.ids = new RequestIds(settings, headers);
        this.accessLog = accessLog;
        this.quotas = new Quotas(settings);
        this.trusted = settings.trustedProxies();
        this.forwarding = new Forwarding(headers, settings.clientCert());
        this.routes = new RouteTable(routes);
        this.workers = workers;
        this.callers = callers;
        this.budget = new Budget(limits.bufferBytes());
        this.shares = new Shares(
                budget,
                limits.addressShare() == 100
                        ? Long.MAX_VALUE
                        : Math.max(1, limits.bufferBytes() / 100 * limits.addressShare()));
        this.upstreams = new Upstreams(transport, limits, upstreamTls, budget, loops);
    }

    /** A connection is closed because of this: what clients do is counted, since they decide how often; our own faults are logged. */
    void faulty(Throwable cause) {
        if (cause instanceof DecoderException || cause instanceof Http2Exception) {
            traffic.add(Count.MALFORMED);
        } else if (!(cause instanceof IOException)) {
            LOG.warn("A connection was closed because of a fault.", cause);
        }
    }

    /** A request is over. */
    void log(AccessNote note) {
        traffic.ended(note);
        if (accessLog != null) {
            accessLog.add(note.line());
        }
    }
}
