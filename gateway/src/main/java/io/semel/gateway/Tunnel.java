// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** One end of two connections that speak something else than HTTP now: its bytes go to the other end, unread, until both are silent. */
final class Tunnel extends ChannelInboundHandlerAdapter {

    private final Site site;
    private final Channel other;
    private final Deadline silence;

    private Tunnel(Site site, Channel other, Deadline silence) {
        this.site = site;
        this.other = other;
        this.silence = silence;
    }

    /** Whether one more may be opened; if so it counts until the client's connection is closed. */
    static boolean admit(Site site, Channel client) {
        if (site.tunnels.incrementAndGet() > site.limits.tunnels()) {
            site.tunnels.decrementAndGet();
            return false;
        }
        client.closeFuture().addListener(closed -> site.tunnels.decrementAndGet());
        return true;
    }

    static void join(Site site, Channel client, UpstreamLink link) {
        Channel upstream = link.channel();
        Deadline silence = new Deadline(client, client::close);
        silence.in(site.limits.tunnelTime());
        link.leave();
        upstream.pipeline().addLast(new Tunnel(site, client, silence));
        upstream.pipeline().remove(UpstreamLink.class);
        client.pipeline().addLast(new Tunnel(site, upstream, silence));
        client.pipeline().remove(ClientHandler.class);
        client.pipeline().remove(Turnstile.class);
        client.pipeline().remove(StrictCodec.class);
        upstream.pipeline().remove(UpstreamCodec.class);
        client.config().setAutoRead(true);
        upstream.config().setAutoRead(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        silence.in(site.limits.tunnelTime());
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
