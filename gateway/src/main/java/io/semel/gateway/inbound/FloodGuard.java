// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.inbound;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.util.ReferenceCountUtil;
import io.semel.gateway.traffic.Traffic;
import io.semel.gateway.traffic.Traffic.Count;
import java.util.concurrent.TimeUnit;

/** Stops reading from an HTTP/2 client that does not read, and closes a connection that floods PING and SETTINGS frames. */
public final class FloodGuard extends ChannelInboundHandlerAdapter {

    private static final int MOST = 200;
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(10);

    private final Traffic traffic;
    private long start = System.nanoTime();
    private int count;
    private boolean over;

    public FloodGuard(Traffic traffic) {
        this.traffic = traffic;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        boolean idle = message instanceof Http2PingFrame || message instanceof Http2SettingsFrame;
        if (over || (idle && isTooMany())) {
            ReferenceCountUtil.release(message);
            end(context);
        } else {
            context.fireChannelRead(message);
        }
    }

    private boolean isTooMany() {
        long now = System.nanoTime();
        if (now - start >= WINDOW) {
            start = now;
            count = 0;
        }
        return ++count > MOST;
    }

    /** At once: the codec's own close would wait for streams that their client never lets end. */
    private void end(ChannelHandlerContext context) {
        if (!over) {
            over = true;
            traffic.add(Count.MALFORMED);
            context.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.ENHANCE_YOUR_CALM));
            context.pipeline().context(Http2FrameCodec.class).close();
        }
    }
}
