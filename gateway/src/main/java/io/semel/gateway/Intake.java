// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hands what happens on an HTTP/1 connection, or on an HTTP/2 stream, to its front. */
final class Intake extends ChannelInboundHandlerAdapter {

    private final Site site;
    private @Nullable Front front;

    Intake(Site site) {
        this.site = site;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        front = new Front(site, context);
        if (context.channel().isActive()) {
            front.await();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        front().await();
    }

    /** The first bytes of a request are there. */
    void started() {
        front().started();
    }

    /** There is no room any more for what has come of something that is not whole. */
    void crowdedOut(Refusal why) {
        front().crowdedOut(why);
    }

    /** Whatever goes wrong with a message, its exchange ends. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            take(message);
        } catch (Throwable e) {
            site.faulty(e);
            front().gone();
            front().fail(Refusal.INTERNAL);
            context.close();
        }
    }

    private void take(Object message) {
        if (front().isLingering() || !(message instanceof HttpObject)) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof FullHttpRequest full) {
            HttpRequest request =
                    new DefaultHttpRequest(full.protocolVersion(), full.method(), full.uri(), full.headers());
            request.setDecoderResult(full.decoderResult());
            front().begin(request);
            front().body(new DefaultLastHttpContent(full.content()));
        } else if (message instanceof HttpRequest request) {
            front().begin(request);
        } else if (message instanceof HttpContent content) {
            front().body(content);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            front().writable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event == Draining.BEGUN) {
            front().draining();
        } else {
            super.userEventTriggered(context, event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        front().gone();
        front().unhurried();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof DecoderException && front().isIdle()) {
            front().malformed(Refusal.MALFORMED_REQUEST);
            return;
        }
        site.faulty(cause);
        context.close();
    }

    private Front front() {
        return Objects.requireNonNull(front);
    }
}
