// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.inbound;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.semel.gateway.budget.AddressShares;
import io.semel.gateway.budget.BodyBuffer;
import io.semel.gateway.budget.Charge;
import io.semel.gateway.budget.MemoryCost;
import io.semel.gateway.traffic.Traffic;
import io.semel.gateway.traffic.Traffic.Count;

/**
 * Charges DATA frames of an HTTP/2 connection that their streams have not read yet. Flow control bounds their bytes and not their
 * number, so each is charged with its overhead, and small ones are copied, so that they do not keep their buffer alive.
 */
public final class StreamBudget extends ChannelInboundHandlerAdapter {

    private static final int SMALL = 8 << 10;

    private final AddressShares shares;
    private final Traffic traffic;
    private final IntObjectMap<Charge> waiting = new IntObjectHashMap<>();

    public StreamBudget(AddressShares shares, Traffic traffic) {
        this.shares = shares;
        this.traffic = traffic;
    }

    /** The first handler of a stream, which releases the charge of the frames that it reads. */
    public ChannelInboundHandlerAdapter of(Http2StreamChannel stream) {
        int id = stream.stream().id();
        Charge charge = shares.charge(stream);
        waiting.put(id, charge);
        stream.closeFuture().addListener(closed -> {
            waiting.remove(id);
            charge.clear();
        });
        return new Taking(charge);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Http2DataFrame part = message instanceof Http2DataFrame data ? data : null;
        Charge charge = part == null ? null : waiting.get(part.stream().id());
        if (part == null || charge == null) {
            context.fireChannelRead(message);
            return;
        }
        Http2FrameStream stream = part.stream();
        charge.waits(() -> context.executor().execute(() -> reset(context, stream)));
        if (charge.take(cost(part)) == null) {
            context.fireChannelRead(isSmall(part) ? copy(part) : part);
        } else {
            part.release();
            reset(context, stream);
        }
    }

    private void reset(ChannelHandlerContext context, Http2FrameStream stream) {
        if (waiting.remove(stream.id()) != null) {
            traffic.add(Count.UNREAD);
            context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.ENHANCE_YOUR_CALM).stream(stream));
        }
    }

    private static long cost(Http2DataFrame part) {
        return MemoryCost.PART + part.content().readableBytes();
    }

    private static boolean isSmall(Http2DataFrame part) {
        return part.content().readableBytes() < SMALL;
    }

    private static Http2DataFrame copy(Http2DataFrame part) {
        Http2FrameStream stream = part.stream();
        try {
            return new DefaultHttp2DataFrame(
                            Unpooled.wrappedBuffer(BodyBuffer.copy(part.content())), part.isEndStream(), part.padding())
                    .stream(stream);
        } finally {
            part.release();
        }
    }

    private static final class Taking extends ChannelInboundHandlerAdapter {

        private final Charge charge;

        private Taking(Charge charge) {
            this.charge = charge;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2DataFrame part) {
                charge.passed(part.content().readableBytes());
                charge.give(cost(part));
            }
            context.fireChannelRead(message);
        }
    }
}
