// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** One end of two connections that speak something else than HTTP now: its bytes go to the other end, unread. */
final class Tunnel extends ChannelInboundHandlerAdapter {

    private final Channel other;

    private Tunnel(Channel other) {
        this.other = other;
    }

    static void join(Channel client, Channel upstream) {
        upstream.pipeline().addLast(new Tunnel(client));
        upstream.pipeline().remove(UpstreamLink.class);
        client.pipeline().addLast(new Tunnel(upstream));
        client.pipeline().remove(Intake.class);
        client.pipeline().remove(Turnstile.class);
        client.pipeline().remove(StrictCodec.class);
        upstream.pipeline().remove("http");
        client.config().setAutoRead(true);
        upstream.config().setAutoRead(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
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
