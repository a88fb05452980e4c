// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;

/** Lets one message through for each time that it is asked, however many came in one go; asking twice is asking once. */
final class Turnstile extends ChannelDuplexHandler {

    private final Deque<Object> queue = new ArrayDeque<>(4);
    private boolean wanted;
    private boolean passing;

    @Override
    public void read(ChannelHandlerContext context) {
        wanted = true;
        pass(context);
        if (wanted && queue.isEmpty()) {
            context.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        queue.add(message);
        pass(context);
    }

    private void pass(ChannelHandlerContext context) {
        if (passing) {
            return;
        }
        passing = true;
        try {
            while (wanted && !queue.isEmpty()) {
                wanted = false;
                context.fireChannelRead(queue.poll());
            }
        } finally {
            passing = false;
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
        queue.forEach(ReferenceCountUtil::release);
        queue.clear();
    }
}
