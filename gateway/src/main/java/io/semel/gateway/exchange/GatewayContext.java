// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.semel.gateway.budget.AddressShares;
import io.semel.gateway.budget.MemoryBudget;
import io.semel.gateway.callers.CallerResolver;
import io.semel.gateway.callers.ClientPeer;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.TrustedProxies;
import io.semel.gateway.http.ClientAddresses;
import io.semel.gateway.http.ForwardedHeaders;
import io.semel.gateway.http.HeaderFilter;
import io.semel.gateway.http.RequestIds;
import io.semel.gateway.log.AccessLog;
import io.semel.gateway.log.ThrottledLog;
import io.semel.gateway.net.OutOfMemory;
import io.semel.gateway.net.ReloadingTls;
import io.semel.gateway.net.Transport;
import io.semel.gateway.quota.StorageQuotas;
import io.semel.gateway.traffic.AccessRecord;
import io.semel.gateway.traffic.CompletedRequest;
import io.semel.gateway.traffic.Traffic;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.gateway.upstream.Upstreams;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The state that all connections of one gateway share. */
public final class GatewayContext {

    private static final ThrottledLog LOG = new ThrottledLog(GatewayContext.class);

    public final Limits limits;
    final String namespace;
    final RouteTable routes;
    public final StoreExecutor store;
    final CallerResolver callers;
    final boolean sessions;
    final HeaderFilter headers;
    final RequestIds ids;
    private final @Nullable AccessLog accessLog;
    final StorageQuotas quotas;
    public final TrustedProxies trusted;
    private final ClientAddresses origins;
    final ForwardedHeaders forwarding;
    public final Traffic traffic = new Traffic();
    public final MemoryBudget budget;
    public final AddressShares shares;
    final Upstreams upstreams;
    final AtomicInteger tunnels = new AtomicInteger();
    public final AtomicInteger connections = new AtomicInteger();
    /** Connections that can be told not to begin anything new. */
    public final ChannelGroup streaming = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    /** Connections that cannot be told, and are closed between two requests. */
    public final ChannelGroup plain = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    public volatile boolean draining;

    public GatewayContext(
            Settings settings,
            List<Route> routes,
            StoreExecutor store,
            CallerResolver callers,
            Transport transport,
            @Nullable ReloadingTls upstreamTls,
            @Nullable AccessLog accessLog,
            int loops) {
        this.limits = settings.limits();
        this.namespace = settings.namespace();
        this.sessions = settings.sessions() != null;
        this.headers = new HeaderFilter(settings);
        this.ids = new RequestIds(settings, headers);
        this.accessLog = accessLog;
        this.quotas = new StorageQuotas(settings);
        this.trusted = settings.trustedProxies();
        this.origins = new ClientAddresses(trusted);
        this.forwarding = new ForwardedHeaders(headers, settings.clientCert());
        this.routes = new RouteTable(routes);
        this.store = store;
        this.callers = callers;
        this.budget = new MemoryBudget(limits.bufferBytes());
        this.shares = new AddressShares(
                budget,
                limits.addressShare() == 100
                        ? Long.MAX_VALUE
                        : Math.max(1, limits.bufferBytes() / 100 * limits.addressShare()));
        this.upstreams = new Upstreams(transport, limits, upstreamTls, budget, loops);
    }

    /** Reports why a connection is closed: faults of clients are counted, since they decide how often; our own are logged. */
    public void faulty(Throwable cause) {
        OutOfMemory.check(cause);
        if (cause instanceof DecoderException || cause instanceof Http2Exception) {
            traffic.add(Count.MALFORMED);
        } else if (!(cause instanceof IOException)) {
            LOG.warn("A connection was closed because of an internal error.", cause);
        }
    }

    /** A request is over. */
    void log(AccessRecord note) {
        CompletedRequest ended = note.end();
        if (ended != null) {
            traffic.ended(ended);
        }
        if (accessLog != null) {
            accessLog.add(note.line());
        }
    }

    /** Whose connections to services are counted together: those of an address; null if it may be any, or has no share. */
    @Nullable
    Object client(HttpHeaders headers, Channel channel) {
        if (limits.addressShare() == 100) {
            return null;
        }
        InetAddress address = origins.of(headers, ClientPeer.address(channel));
        return address == null ? null : AddressShares.network(address);
    }
}
