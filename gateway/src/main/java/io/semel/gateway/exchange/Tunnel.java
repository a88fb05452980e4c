// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.semel.gateway.inbound.ClientCodec;
import io.semel.gateway.inbound.ReadGate;
import io.semel.gateway.net.Deadline;
import io.semel.gateway.upstream.UpstreamCodec;
import io.semel.gateway.upstream.UpstreamConnection;

/** One end of a tunnel for another protocol, such as WebSocket: passes bytes to the other end until both are silent. */
final class Tunnel extends ChannelInboundHandlerAdapter {

    private final GatewayContext gateway;
    private final Channel other;
    private final Deadline silence;

    private Tunnel(GatewayContext gateway, Channel other, Deadline silence) {
        this.gateway = gateway;
        this.other = other;
        this.silence = silence;
    }

    /** Whether one more may be opened; if so it counts until the client's connection is closed. */
    static boolean admit(GatewayContext gateway, Channel client) {
        if (gateway.tunnels.incrementAndGet() > gateway.limits.tunnels()) {
            gateway.tunnels.decrementAndGet();
            return false;
        }
        client.closeFuture().addListener(closed -> gateway.tunnels.decrementAndGet());
        return true;
    }

    static void join(GatewayContext gateway, Channel client, UpstreamConnection link) {
        Channel upstream = link.channel();
        Deadline silence = new Deadline(client, client::close);
        silence.in(gateway.limits.tunnelTime());
        link.leave();
        upstream.pipeline().addLast(new Tunnel(gateway, client, silence));
        upstream.pipeline().remove(UpstreamConnection.class);
        client.pipeline().addLast(new Tunnel(gateway, upstream, silence));
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
        if (!other.isWritable()) {
            context.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        other.config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (other.isActive()) {
            other.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
