// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.inbound;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.semel.gateway.budget.AddressShares;
import io.semel.gateway.budget.Charge;
import io.semel.gateway.budget.MemoryCost;
import io.semel.gateway.traffic.Traffic;
import io.semel.gateway.traffic.Traffic.Count;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Passes one message on for each read, however many arrive at once. Small parts of a body that arrive together are joined: a client
 * decides how small they are, and each costs more memory than its bytes.
 */
public final class ReadGate extends ChannelDuplexHandler {

    private static final int SMALL = 1024;

    private final AddressShares shares;
    private final Traffic traffic;
    private final Deque<Object> queue = new ArrayDeque<>(4);
    private @Nullable Charge charge;
    private long cost;
    private @Nullable ByteBuf small;
    private boolean wanted;
    private boolean passing;

    public ReadGate(AddressShares shares, Traffic traffic) {
        this.shares = shares;
        this.traffic = traffic;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        charge = shares.charge(context.channel());
    }

    @Override
    public void read(ChannelHandlerContext context) {
        wanted = true;
        pass(context);
        if (charge != null && charge.held() > cost) {
            count(context);
        }
        if (wanted && queue.isEmpty() && small == null) {
            context.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpContent part && isSmall(part)) {
            join(context, part);
            return;
        }
        close();
        add(message);
        pass(context);
    }

    private static boolean isSmall(HttpContent part) {
        return !(part instanceof LastHttpContent)
                && part.content().readableBytes() < SMALL
                && part.decoderResult().isSuccess();
    }

    private void join(ChannelHandlerContext context, HttpContent part) {
        if (small == null) {
            small = context.alloc().buffer(SMALL);
        }
        small.writeBytes(part.content());
        part.release();
    }

    /** The joined parts become one message. */
    private void close() {
        if (small != null) {
            add(new DefaultHttpContent(small));
            small = null;
        }
    }

    private void add(Object message) {
        queue.add(message);
        cost += MemoryCost.of(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        close();
        pass(context);
        count(context);
        context.fireChannelReadComplete();
    }

    private void pass(ChannelHandlerContext context) {
        if (passing) {
            return;
        }
        passing = true;
        try {
            while (wanted && !queue.isEmpty()) {
                wanted = false;
                Object next = queue.remove();
                cost -= MemoryCost.of(next);
                context.fireChannelRead(next);
            }
        } finally {
            passing = false;
        }
    }

    /** Messages that nothing has read yet are charged; a client that sends too far ahead is evicted first. */
    private void count(ChannelHandlerContext context) {
        Runnable whenEvicted = () -> context.executor().execute(() -> drop(context));
        if (Objects.requireNonNull(charge).hold(cost, whenEvicted) != null) {
            drop(context);
        }
    }

    private void drop(ChannelHandlerContext context) {
        // Messages that were decoded together keep arriving after the first of them has closed the connection.
        if (!queue.isEmpty() && context.channel().isActive()) {
            traffic.add(Count.UNREAD);
            context.close();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        drop();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        drop();
        context.fireChannelInactive();
    }

    private void drop() {
        close();
        queue.forEach(ReferenceCountUtil::release);
        queue.clear();
        cost = 0;
        if (charge != null) {
            charge.clear();
        }
    }
}
