// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.semel.gateway.budget.AddressShares;
import io.semel.gateway.budget.UnreadOutput;
import io.semel.gateway.inbound.ClientCodec;
import io.semel.gateway.inbound.ReadGate;
import io.semel.gateway.net.Deadline;
import io.semel.gateway.net.OutOfMemory;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.gateway.upstream.UpstreamCodec;
import io.semel.gateway.upstream.UpstreamConnection;
import java.util.concurrent.atomic.AtomicInteger;

/** One end of a tunnel for another protocol, such as WebSocket: passes bytes to the other end until both are silent. */
final class Tunnel extends ChannelInboundHandlerAdapter {

    private final GatewayContext gateway;
    private final Channel other;
    private final Deadline silence;
    /** What the other end has not taken, held for the client whichever end that is. */
    private final UnreadOutput untaken;

    private Tunnel(GatewayContext gateway, Channel other, Channel client, Deadline silence) {
        this.gateway = gateway;
        this.other = other;
        this.silence = silence;
        this.untaken = new UnreadOutput(other, gateway.shares.charge(client), this::crowdedOut);
        other.closeFuture().addListener(closed -> untaken.clear());
    }

    /** Whether one more may be opened; if so it counts until the client's connection is closed. */
    static boolean admit(GatewayContext gateway, Channel client) {
        AtomicInteger own = AddressShares.tunnels(client);
        int all = gateway.tunnels.incrementAndGet();
        int ofAddress = own.incrementAndGet();
        boolean isTooMany = all > gateway.limits.tunnels() || ofAddress > mostOfAddress(gateway, client);
        if (isTooMany) {
            leave(gateway, own);
        } else {
            client.closeFuture().addListener(closed -> leave(gateway, own));
        }
        return !isTooMany;
    }

    private static void leave(GatewayContext gateway, AtomicInteger own) {
        gateway.tunnels.decrementAndGet();
        own.decrementAndGet();
    }

    /** Behind a trusted proxy are many. */
    private static long mostOfAddress(GatewayContext gateway, Channel client) {
        long all = gateway.limits.tunnels();
        return gateway.trusted.include(client.remoteAddress())
                ? all
                : Math.max(1, all * gateway.limits.addressShare() / 100);
    }

    static void join(GatewayContext gateway, Channel client, UpstreamConnection link) {
        Channel upstream = link.channel();
        Deadline silence = new Deadline(client, client::close);
        silence.in(gateway.limits.tunnelTime());
        link.leave();
        upstream.pipeline().addLast(new Tunnel(gateway, client, client, silence));
        upstream.pipeline().remove(UpstreamConnection.class);
        client.pipeline().addLast(new Tunnel(gateway, upstream, client, silence));
        client.pipeline().remove(ClientHandler.class);
        client.pipeline().remove(ReadGate.class);
        client.pipeline().remove(ClientCodec.class);
        upstream.pipeline().remove(UpstreamCodec.class);
        client.config().setAutoRead(true);
        upstream.config().setAutoRead(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        silence.in(gateway.limits.tunnelTime());
        other.writeAndFlush(message, other.voidPromise());
        if (!untaken.fits()) {
            crowdedOut();
        } else if (!other.isWritable()) {
            context.channel().config().setAutoRead(false);
        }
    }

    /** Without waiting for what it does not take. */
    private void crowdedOut() {
        gateway.traffic.add(Count.UNREAD);
        other.close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        other.config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (other.isActive()) {
            other.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            // It may never take what is left.
            new Deadline(other, other::close).in(gateway.limits.tunnelTime());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        OutOfMemory.check(cause);
        context.close();
    }
}
