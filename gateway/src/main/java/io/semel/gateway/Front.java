// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
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
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The client's side: takes requests from one HTTP/1 connection, one after the other, or from one HTTP/2 stream. */
final class Front extends ChannelInboundHandlerAdapter {

    private static final System.Logger LOG = System.getLogger(Front.class.getName());

    private final Site site;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Deadline deadline;
    private @Nullable Exchange exchange;
    private boolean stream;
    private boolean old;
    private boolean keepAlive;
    private boolean requestRead = true;
    private boolean shortBody;
    private boolean answering;
    private boolean lingering;

    Front(Site site) {
        this.site = site;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        stream = added.channel() instanceof Http2StreamChannel;
        deadline = new Deadline(added.channel().eventLoop(), this::tooLate);
        if (added.channel().isActive()) {
            await();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        await();
    }

    /** The first bytes of a request are there: from now on its head has to come quickly. */
    void started() {
        if (exchange == null) {
            deadline().in(site.limits.headerTime());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (lingering || !(message instanceof HttpObject)) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof FullHttpRequest full) {
            HttpRequest request =
                    new DefaultHttpRequest(full.protocolVersion(), full.method(), full.uri(), full.headers());
            request.setDecoderResult(full.decoderResult());
            begin(request);
            body(new DefaultLastHttpContent(full.content()));
        } else if (message instanceof HttpRequest request) {
            begin(request);
        } else if (message instanceof HttpContent content) {
            body(content);
        }
    }

    private void begin(HttpRequest request) {
        old = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        keepAlive = HttpUtil.isKeepAlive(request) && !stream;
        requestRead = false;
        // What is not short is not read off, if nobody wants it; then the client is told not to use the connection
        // again.
        shortBody = Discarding.isShort(request.headers().get(HttpHeaderNames.CONTENT_LENGTH));
        answering = true;
        site.traffic.exchange(1);
        deadline().in(site.limits.idleTime());
        Refusal objection = Hygiene.objection(request);
        if (objection != null) {
            site.traffic.add(Count.MALFORMED);
            if (request.decoderResult().isFailure()) {
                // What follows is not known to be the rest of this request.
                breakOff(objection);
            } else {
                refuse(objection);
            }
            return;
        }
        RequestHead head = RequestHead.of(request, channel(), site.callers);
        Route route = site.route(head.path(), head.method());
        new Admitting(this, site, route, head).begin();
    }

    private void body(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            content.release();
            site.traffic.add(Count.MALFORMED);
            gone();
            breakOff(Hygiene.ofDecoder(content.decoderResult().cause()));
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
        return context().channel();
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

    /** Who takes the body from now on. */
    void give(Exchange to) {
        exchange = to;
    }

    /** Asks for the next part of the body; nothing comes unasked. */
    void read() {
        if (!requestRead) {
            context().read();
        }
    }

    /** Tells a client that waits for it to send the body. */
    void goOn(HttpRequest request) {
        if (HttpUtil.is100ContinueExpected(request)) {
            context().writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    void within(Duration span) {
        deadline().in(span);
    }

    void unhurried() {
        deadline().never();
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
            context().writeAndFlush(part, channel().voidPromise());
            end();
            next();
        } else {
            context().write(part, channel().voidPromise());
        }
    }

    private void frame(HttpResponse response) {
        if (stream) {
            return;
        }
        keepAlive &= !site.draining && (requestRead || shortBody);
        if (old) {
            response.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
            keepAlive &= response.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
        }
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (old) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }

    void flush() {
        context().flush();
    }

    /** Ends an answer that cannot be brought to its end, so that the client sees that it is not whole. */
    void abort() {
        end();
        context().close();
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
        if (!requestRead) {
            if (stream) {
                context().close();
            } else if (keepAlive) {
                deadline().in(site.limits.headerTime());
                read();
            } else {
                linger();
            }
        } else if (keepAlive) {
            await();
        } else if (!stream) {
            flushAndClose();
        }
    }

    private void await() {
        deadline().in(site.limits.idleTime());
        context().read();
    }

    private void flushAndClose() {
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private void breakOff(Refusal refusal) {
        keepAlive = false;
        requestRead = true;
        if (!isGone()) {
            HttpResponse response = Heads.response(refusal.answer());
            frame(response);
            context().writeAndFlush(response);
        }
        end();
        linger();
    }

    /** Closes only after the client has had time to read: bytes that we never read would make the kernel take our answer back. */
    void linger() {
        if (stream) {
            context().close();
        } else if (!lingering) {
            lingering = true;
            exchange = null;
            Lingering.begin(channel());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (exchange != null && changed.channel().isWritable()) {
            exchange.clientWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        gone();
        deadline().never();
    }

    /** An exchange that ends by its client's going is over; one that goes on says so by sending its answer later. */
    private void gone() {
        Exchange left = exchange;
        exchange = null;
        if (left != null) {
            left.clientGone();
        }
    }

    boolean isReadingBody() {
        return !requestRead;
    }

    /** Sends the last HTTP message of this connection, which speaks something else from now on. */
    void surrender(HttpContent last) {
        context().writeAndFlush(last);
        exchange = null;
        requestRead = true;
        end();
        deadline().never();
    }

    /** For exchanges that end with their client. */
    void leave() {
        end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (cause instanceof DecoderException && !answering && !stream && !isGone()) {
            site.traffic.add(Count.MALFORMED);
            breakOff(Refusal.MALFORMED_REQUEST);
            return;
        }
        if (!(cause instanceof IOException || cause instanceof DecoderException)) {
            LOG.log(System.Logger.Level.WARNING, "A connection was closed because of a fault.", cause);
        }
        context().close();
    }

    private void tooLate() {
        if (answering && !requestRead && !isGone()) {
            gone();
            breakOff(Refusal.TOO_SLOW);
        } else {
            context().close();
        }
    }

    private Deadline deadline() {
        return Objects.requireNonNull(deadline);
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context);
    }
}
