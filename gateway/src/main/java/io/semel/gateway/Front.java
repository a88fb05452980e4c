// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import io.semel.gateway.Traffic.Count;
import io.semel.http.Answer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The client's side: takes requests from one HTTP/1 connection, one after the other, or from one HTTP/2 stream. */
final class Front {

    private final Site site;
    private final ChannelHandlerContext context;
    private final Deadline deadline;
    private final boolean stream;
    private final @Nullable StrictCodec codec;
    private final Keeping keeping = new Keeping();
    private @Nullable Exchange exchange;
    private boolean requestRead = true;
    private boolean answering;
    private boolean lingering;

    Front(Site site, ChannelHandlerContext context) {
        this.site = site;
        this.context = context;
        this.stream = context.channel() instanceof Http2StreamChannel;
        this.codec = context.pipeline().get(StrictCodec.class);
        this.deadline = new Deadline(context.channel().eventLoop(), this::tooLate);
    }

    void await() {
        deadline.in(isInHead() ? site.limits.headerTime() : site.limits.idleTime());
        context.read();
    }

    /** The first bytes of a request are there: from now on its head has to come quickly. */
    void started() {
        if (exchange == null) {
            deadline.in(site.limits.headerTime());
        }
    }

    /** Whoever is between two requests is let go now; others after their answer. */
    void draining() {
        if (isIdle() && requestRead && !lingering && !isInHead()) {
            context.close();
        }
    }

    /** Whether a request has begun to come whose head is not whole. */
    private boolean isInHead() {
        return codec != null && codec.isInHead();
    }

    void begin(HttpRequest request) {
        keeping.begin(request);
        requestRead = false;
        answering = true;
        site.traffic.exchange(1);
        deadline.in(site.limits.idleTime());
        Refusal objection = Hygiene.objection(request);
        if (objection == null) {
            RequestHead head = RequestHead.of(request, channel(), site.callers);
            Route route = site.route(head.path(), head.method());
            new Admitting(this, site, route, head).begin();
        } else if (request.decoderResult().isFailure()) {
            // What follows is not known to be the rest of this request.
            malformed(objection);
        } else {
            site.traffic.add(Count.MALFORMED);
            refuse(objection);
        }
    }

    void body(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            content.release();
            gone();
            malformed(Hygiene.ofDecoder(content.decoderResult().cause()));
            return;
        }
        requestRead = content instanceof LastHttpContent;
        boolean answeredBefore = !answering;
        if (exchange != null) {
            exchange.body(content);
        } else {
            content.release();
        }
        if (requestRead && answeredBefore) {
            next();
        }
    }

    Channel channel() {
        return context.channel();
    }

    EventLoop loop() {
        return channel().eventLoop();
    }

    boolean isGone() {
        return !channel().isActive();
    }

    boolean isWritable() {
        return channel().isWritable();
    }

    boolean isReadingBody() {
        return !requestRead;
    }

    boolean isLingering() {
        return lingering;
    }

    /** Whether a connection is between two requests. */
    boolean isIdle() {
        return !answering && !stream && !isGone();
    }

    /** Who takes the body from now on. */
    void give(Exchange to) {
        exchange = to;
    }

    /** Asks for the next part of the body; nothing comes unasked. */
    void read() {
        if (!requestRead) {
            context.read();
        }
    }

    /** Tells a client that waits for it to send the body. */
    void goOn(HttpRequest request) {
        if (HttpUtil.is100ContinueExpected(request)) {
            context.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    void within(Duration span) {
        deadline.in(span);
    }

    void unhurried() {
        deadline.never();
    }

    void refuse(Refusal refusal) {
        site.traffic.add(Count.REFUSED);
        send(refusal.answer());
    }

    void send(Answer answer) {
        send(Heads.response(answer));
    }

    /** Sends the head, a part or the end of an answer; after the end the next request is read. */
    void send(HttpObject part) {
        if (isGone() || lingering) {
            ReferenceCountUtil.release(part);
            if (part instanceof LastHttpContent) {
                site.traffic.add(Count.CLIENT_GONE);
                end();
            }
            return;
        }
        if (part instanceof HttpResponse response) {
            frame(response);
        }
        if (part instanceof LastHttpContent) {
            context.writeAndFlush(part, channel().voidPromise());
            end();
            next();
        } else {
            context.write(part, channel().voidPromise());
        }
    }

    private void frame(HttpResponse response) {
        if (stream) {
            return;
        }
        if (site.draining) {
            keeping.no();
        }
        keeping.tell(response, requestRead);
    }

    void flush() {
        context.flush();
    }

    void writable() {
        if (exchange != null) {
            exchange.clientWritable();
        }
    }

    /** Ends an answer that cannot be brought to its end, so that the client sees that it is not whole. */
    void abort() {
        end();
        context.close();
    }

    /** For exchanges that end with their client. */
    void leave() {
        end();
    }

    /** Sends the last HTTP message of this connection, which speaks something else from now on. */
    void surrender(HttpContent last) {
        context.writeAndFlush(last);
        exchange = null;
        requestRead = true;
        end();
        deadline.never();
    }

    /** The exchange is over for us; what is left of the body is read off. */
    private void end() {
        if (answering) {
            answering = false;
            site.traffic.exchange(-1);
        }
        exchange = requestRead ? null : new Discarding(this);
    }

    private void next() {
        if (stream) {
            if (!requestRead) {
                context.close();
            }
        } else if (!requestRead && keeping.isKept()) {
            deadline.in(site.limits.headerTime());
            read();
        } else if (!requestRead) {
            linger();
        } else if (keeping.isKept() && !site.draining) {
            await();
        } else {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** For what cannot be read on from. */
    void malformed(Refusal refusal) {
        site.traffic.add(Count.MALFORMED);
        breakOff(refusal);
    }

    private void breakOff(Refusal refusal) {
        keeping.no();
        requestRead = true;
        if (!isGone()) {
            HttpResponse response = Heads.response(refusal.answer());
            frame(response);
            context.writeAndFlush(response);
        }
        end();
        linger();
    }

    /** Closes only after the client has had time to read: bytes that we never read would make the kernel take our answer back. */
    void linger() {
        if (stream) {
            context.close();
        } else if (!lingering) {
            lingering = true;
            exchange = null;
            Lingering.begin(channel());
        }
    }

    /** An exchange that ends by its client's going is over; one that goes on says so by sending its answer later. */
    void gone() {
        Exchange left = exchange;
        exchange = null;
        if (left != null) {
            left.clientGone();
        }
    }

    private void tooLate() {
        boolean tooSlow = answering ? !requestRead : isInHead();
        if (tooSlow && !isGone()) {
            gone();
            breakOff(Refusal.TOO_SLOW);
        } else {
            context.close();
        }
    }
}
