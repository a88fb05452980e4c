// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/** Discards bytes that a client still sends, for a moment, so that it can read its response. */
public final class LingeringClose extends ChannelInboundHandlerAdapter {

    private static final long MOST_MILLIS = 1000;

    public static void begin(Channel channel) {
        begin(channel, channel.pipeline().get(SslHandler.class) == null);
    }

    /**
     * Discards the rest of the input and closes the connection.
     *
     * @param plain whether the response was sent without TLS, so that closing our side marks its end
     */
    public static void begin(Channel channel, boolean plain) {
        channel.pipeline().addFirst(new LingeringClose());
        channel.config().setAutoRead(true);
        channel.eventLoop().schedule(() -> channel.close(), MOST_MILLIS, TimeUnit.MILLISECONDS);
        if (plain && channel instanceof DuplexChannel duplex) {
            channel.eventLoop().execute(duplex::shutdownOutput);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    /** The client has closed its side; the event of closing our own side comes here too. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (!(event instanceof ChannelOutputShutdownEvent) && event != DrainEvent.BEGUN) {
            context.close();
        }
    }
}
