// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import io.semel.gateway.budget.Charge;
import io.semel.gateway.budget.UnreadOutput;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.http.RequestValidator;
import io.semel.gateway.http.Responses;
import io.semel.gateway.inbound.ClientCodec;
import io.semel.gateway.net.Deadline;
import io.semel.gateway.net.DrainEvent;
import io.semel.gateway.net.LingeringClose;
import io.semel.gateway.traffic.Traffic.Count;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves one HTTP/1 connection of a client, request after request, or one HTTP/2 stream. */
public final class ClientHandler extends ChannelInboundHandlerAdapter {

    private static final int MOST_IN_A_ROW = 4;
    private static final long MUCH = 64 << 10;

    private final GatewayContext gateway;
    private final Channel channel;
    private final boolean stream;
    private final Deadline deadline;
    /** All that this makes us hold is one thing. */
    private final Supplier<Charge> charges;

    private final UnreadOutput outbound;
    private @Nullable ClientCodec codec;
    /** The current exchange, or the last one. */
    private @Nullable ClientExchange exchange;

    private boolean lingering;
    private boolean unread;
    private int inARow;
    private long sentInARow;

    public ClientHandler(GatewayContext gateway, Channel channel) {
        this.gateway = gateway;
        this.channel = channel;
        this.stream = channel instanceof Http2StreamChannel;
        this.deadline = new Deadline(channel, this::tooLate);
        this.charges = gateway.shares.parts(channel);
        this.outbound = new UnreadOutput(channel, charge(), this::drop);
        channel.closeFuture().addListener(closed -> outbound.clear());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        codec = context.pipeline().get(ClientCodec.class);
        if (channel.isActive()) {
            await();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        await();
    }

    private void await() {
        deadline.in(isInHead() ? gateway.limits.headerTime() : gateway.limits.idleTime());
        channel.read();
    }

    /** The first bytes of a request have arrived: from now on its head has to come quickly. */
    public void started() {
        if (isBetweenRequests()) {
            deadline.in(gateway.limits.headerTime());
        }
    }

    /** The exchange ends whatever goes wrong with a message. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            take(message);
        } catch (Throwable e) {
            gateway.faulty(e);
            if (exchange != null) {
                exchange.gone();
                exchange.fail(Refusal.INTERNAL);
            }
            channel.close();
        }
    }

    private void take(Object message) {
        if (lingering || !(message instanceof HttpObject)) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof FullHttpRequest full) {
            HttpRequest request =
                    new DefaultHttpRequest(full.protocolVersion(), full.method(), full.uri(), full.headers());
            request.setDecoderResult(full.decoderResult());
            begin(request).body(new DefaultLastHttpContent(full.content()));
        } else if (message instanceof HttpRequest request) {
            begin(request);
        } else if (message instanceof HttpContent content) {
            body(content);
        }
    }

    private ClientExchange begin(HttpRequest request) {
        ClientExchange begun = new ClientExchange(gateway, this, request);
        exchange = begun;
        if (codec != null) {
            codec.answering(request.method());
        }
        deadline.in(gateway.limits.idleTime());
        RequestDispatcher.dispatch(gateway, begun, request);
        return begun;
    }

    private void body(HttpContent content) {
        ClientExchange to = exchange;
        if (to == null) {
            content.release();
        } else if (content.decoderResult().isFailure()) {
            content.release();
            to.gone();
            malformed(RequestValidator.ofDecoder(content.decoderResult().cause()));
        } else {
            to.body(content);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!channel.isWritable()) {
            return;
        }
        closeIfUnread();
        if (unread && channel.isActive()) {
            unread = false;
            await();
        }
        if (exchange != null) {
            exchange.clientWritable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event != DrainEvent.BEGUN) {
            super.userEventTriggered(context, event);
        } else if (!stream && isBetweenRequests() && channel.isActive() && !lingering && !isInHead()) {
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (exchange != null) {
            exchange.gone();
        }
        deadline.never();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean idle = !stream && channel.isActive() && (exchange == null || exchange.isAnswered());
        if (cause instanceof DecoderException && idle) {
            malformed(Refusal.MALFORMED_REQUEST);
            return;
        }
        gateway.faulty(cause);
        channel.close();
    }

    Channel channel() {
        return channel;
    }

    EventLoop loop() {
        return channel.eventLoop();
    }

    /** For bytes that the client makes us hold. */
    Charge charge() {
        return charges.get();
    }

    boolean isStream() {
        return stream;
    }

    boolean isLingering() {
        return lingering;
    }

    private boolean isBetweenRequests() {
        return exchange == null || exchange.isOver();
    }

    /** Whether the head of a request has begun to arrive and is not complete. */
    private boolean isInHead() {
        return codec != null && codec.isInHead();
    }

    void within(Duration span) {
        deadline.in(span);
    }

    void unhurried() {
        deadline.never();
    }

    void flush() {
        channel.flush();
        closeIfUnread();
    }

    /** A client that reads so little that there is no room for the rest gets no more. */
    private void closeIfUnread() {
        if (!outbound.fits()) {
            gateway.traffic.add(Count.UNREAD);
            drop();
        }
    }

    /** A stream whose response is written waits for its client even when it is closed, unless it is reset. */
    void drop() {
        if (stream) {
            channel.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
            channel.close();
        } else if (outbound.isEmpty()) {
            channel.close();
        } else {
            ConnectionCharge.close(channel);
        }
    }

    /** The end of a response was written. */
    void answered(long bytes) {
        sentInARow += bytes;
        closeIfUnread();
    }

    /** Reads on, after the response was written: the rest of the body, or the next request. */
    void next(boolean requestRead, boolean kept) {
        if (stream) {
            if (!requestRead) {
                channel.close();
            } else {
                awaitReading();
            }
        } else if (!requestRead && kept) {
            deadline.in(gateway.limits.headerTime());
            channel.read();
        } else if (!requestRead) {
            linger();
        } else if (!kept || gateway.draining) {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else if (channel.isWritable()) {
            awaitInTurn();
        } else {
            // The next request is read when the client has read the responses before it.
            unread = true;
            awaitReading();
        }
    }

    private void awaitReading() {
        outbound.moves();
        deadline.in(gateway.limits.idleTime());
    }

    /** A client that sends many requests at once lets others in between. */
    private void awaitInTurn() {
        if (++inARow < MOST_IN_A_ROW && sentInARow < MUCH) {
            await();
            return;
        }
        inARow = 0;
        sentInARow = 0;
        // By the clock: a task that is merely executed runs before others are read.
        loop().schedule(this::awaitIfIdle, 1, TimeUnit.MICROSECONDS);
    }

    private void awaitIfIdle() {
        if (channel.isActive() && (exchange == null || exchange.isAnswered()) && !lingering) {
            await();
        }
    }

    /** For a message that leaves it open where the next one begins. */
    void malformed(Refusal refusal) {
        gateway.traffic.add(Count.MALFORMED);
        breakOff(refusal);
    }

    private void breakOff(Refusal refusal) {
        if (exchange != null && !exchange.isAnswered()) {
            exchange.breakOff(refusal);
        } else if (channel.isActive()) {
            HttpResponse response = Responses.response(refusal.answer());
            if (!stream) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            channel.writeAndFlush(response);
        }
        linger();
    }

    /** Closes only after the client has had time to read: unread bytes would make the kernel take our response back. */
    void linger() {
        if (stream) {
            channel.close();
        } else if (!lingering) {
            lingering = true;
            LingeringClose.begin(channel);
        }
    }

    /** The body arrives so slowly that it is given up. */
    void tooSlow() {
        Refusal why = exchange == null ? Refusal.TOO_SLOW : exchange.tooSlowBody();
        boolean begun = exchange != null && exchange.isInResponse();
        if (exchange != null) {
            exchange.gone();
        }
        if (begun) {
            // In the middle of a response another one would be taken for a part of it.
            drop();
        } else {
            breakOff(why);
        }
    }

    /** There is no room for an incomplete message. Without lingering: the room is needed now. */
    public void crowdedOut(Refusal why) {
        boolean waitsForIt = exchange == null || exchange.isWaitingForRequest();
        if (channel.isActive()) {
            gateway.traffic.add(Count.UNREAD);
        }
        if (exchange != null) {
            exchange.gone();
        }
        if (waitsForIt && !lingering) {
            breakOff(why);
        }
        channel.close();
    }

    private void tooLate() {
        boolean answered = exchange == null || exchange.isAnswered();
        if (answered && outbound.moves()) {
            deadline.in(gateway.limits.idleTime());
            return;
        }
        boolean tooSlow = answered ? isInHead() : exchange != null && exchange.isReadingBody();
        if (tooSlow && channel.isActive()) {
            tooSlow();
        } else {
            drop();
        }
    }
}
