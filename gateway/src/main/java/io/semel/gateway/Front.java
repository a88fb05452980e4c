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
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import io.semel.gateway.Traffic.Count;
import io.semel.gateway.access.OneLine;
import io.semel.gateway.callers.CallerRefused;
import io.semel.gateway.callers.Peer;
import io.semel.http.Answer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The client's side: takes requests from one HTTP/1 connection, one after the other, or from one HTTP/2 stream. */
final class Front {

    private static final Warnings LOG = new Warnings(Front.class);
    private static final int MOST_IN_A_ROW = 4;
    private static final long MUCH = 64 << 10;
    private static final int MOST_NOTED = 300;

    private final Site site;
    private final ChannelHandlerContext context;
    private final Deadline deadline;
    private final boolean stream;
    private final @Nullable StrictCodec codec;
    private final Outbound outbound;
    private final Keeping keeping = new Keeping();
    private final Charge head;
    private @Nullable Exchange exchange;
    /** Of the request that is being answered, or was last. */
    private @Nullable AccessNote note;

    private boolean requestRead = true;
    private boolean answering;
    private boolean headSent;
    private boolean lingering;
    private boolean unread;
    private int inARow;
    private long sentInARow;

    Front(Site site, ChannelHandlerContext context) {
        this.site = site;
        this.context = context;
        this.stream = context.channel() instanceof Http2StreamChannel;
        this.codec = context.pipeline().get(StrictCodec.class);
        this.deadline = new Deadline(context.channel(), this::tooLate);
        // Of nobody's share: whoever has one request may have as much as there is, and its head is no second one.
        this.head = new Charge(site.budget);
        this.outbound = new Outbound(context.channel(), charge(), this::drop);
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
        AccessNote begun = AccessNote.of(request, channel(), site.ids);
        note = begun;
        keeping.begin(request);
        requestRead = false;
        answering = true;
        headSent = false;
        if (codec != null) {
            codec.answering(request.method());
        }
        site.traffic.exchange(1);
        deadline.in(site.limits.idleTime());
        Refusal objection = Hygiene.objection(request);
        Refusal noRoom = objection == null ? head.take(Cost.of(request)) : null;
        if (noRoom != null) {
            refuse(noRoom);
            return;
        }
        if (objection == null) {
            site.claims.check(request.headers(), Peer.address(channel()));
            route(RequestHead.of(request, channel(), site.callers, begun));
        } else if (!Hygiene.isFramed(request)) {
            // What follows is not known to be the rest of this request.
            malformed(objection);
        } else {
            site.traffic.add(Count.MALFORMED);
            refuse(objection);
        }
    }

    private void route(RequestHead head) {
        Route route = site.routes.choose(head);
        if (route == null) {
            site.traffic.add(Count.MALFORMED);
            refuse(Refusal.AMBIGUOUS_TARGET);
        } else {
            head.note().routed(route);
            new Admitting(this, site, route, head).begin();
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

    /** For something that the client makes us hold. */
    Charge charge() {
        return site.shares.charge(channel());
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
        keeping.goneOn();
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
        noteRefused(refusal);
        send(refusal.answer());
    }

    /** For a fault of ours: refuses where the client has heard nothing yet, else breaks off. */
    void fail(Refusal refusal) {
        if (!answering) {
            return;
        }
        if (headSent) {
            abort();
        } else {
            refuse(refusal);
        }
    }

    void refuse(CallerRefused refused) {
        site.traffic.add(Count.REFUSED);
        Refusal reason = Refusal.reason(refused);
        noteRefused(reason);
        LOG.warn(
                "A request was refused as " + reason.slug() + ".",
                noted(String.valueOf(refused.getMessage())),
                refused.getCause());
        send(Refusal.of(refused));
    }

    void refuse(Quotas.UsedUp used, String caller) {
        site.traffic.add(Count.QUOTA_USED_UP);
        noteRefused(Refusal.QUOTA_USED_UP);
        LOG.warn(
                "A new key was refused, because the quota of its " + used.whose() + " is used up.",
                noted("Caller " + caller),
                null);
        send(Refusal.QUOTA_USED_UP.answer(used.left()));
    }

    void send(Answer answer) {
        send(Heads.response(answer));
    }

    /** A part of it may be what the client has sent. */
    private String noted(String text) {
        String why = OneLine.of(text);
        return (why.length() > MOST_NOTED ? why.substring(0, MOST_NOTED) + "…" : why) + " [" + note + "]";
    }

    private void noteRefused(Refusal refusal) {
        if (note != null && answering) {
            note.refused(refusal.slug());
        }
    }

    /** Sends the head, a part or the end of an answer; after the end the next request is read. */
    void send(HttpObject part) {
        noteSent(part);
        if (isGone() || lingering) {
            ReferenceCountUtil.release(part);
            if (part instanceof LastHttpContent) {
                site.traffic.add(Count.CLIENT_GONE);
                end();
            }
            return;
        }
        if (!answering) {
            // A fault of ours: another answer on this connection would be taken for that of the next request.
            ReferenceCountUtil.release(part);
            LOG.warn("A request was answered twice; its connection is closed.", new IllegalStateException("answered"));
            drop();
            return;
        }
        if (part instanceof HttpResponse response) {
            frame(response);
            headSent = true;
        }
        if (part instanceof LastHttpContent last) {
            sentInARow += last.content().readableBytes();
            context.writeAndFlush(part, channel().voidPromise());
            end();
            count();
            next();
        } else {
            context.write(part, channel().voidPromise());
        }
    }

    private void noteSent(HttpObject part) {
        AccessNote of = note;
        if (of == null) {
            return;
        }
        boolean sent = !isGone() && !lingering;
        if (part instanceof HttpResponse response) {
            of.answered(response.status().code());
            site.ids.tell(response.headers(), of);
        }
        if (part instanceof HttpContent content && sent) {
            of.sent(content.content().readableBytes());
        } else if (!sent) {
            of.cut();
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
        count();
    }

    /** Whoever reads so little that there is no room for what is still to be read gets no more. */
    private void count() {
        if (!outbound.fits()) {
            site.traffic.add(Count.UNREAD);
            drop();
        }
    }

    /** A stream whose answer is all written waits for its client even when closed, unless it is reset. */
    private void drop() {
        if (stream) {
            context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        }
        context.close();
    }

    void writable() {
        count();
        if (unread && !isGone()) {
            unread = false;
            await();
        }
        if (exchange != null) {
            exchange.clientWritable();
        }
    }

    /** Ends an answer that cannot be brought to its end, so that the client sees that it is not whole. */
    void abort() {
        if (note != null) {
            note.cut();
        }
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
            head.clear();
            site.traffic.exchange(-1);
            if (note != null) {
                site.log(note);
            }
        }
        exchange = requestRead ? null : new Discarding(this);
    }

    private void next() {
        if (stream) {
            if (!requestRead) {
                context.close();
            } else {
                outbound.moves();
                deadline.in(site.limits.idleTime());
            }
        } else if (!requestRead && keeping.isKept()) {
            deadline.in(site.limits.headerTime());
            read();
        } else if (!requestRead) {
            linger();
        } else if (keeping.isKept() && !site.draining && isWritable()) {
            awaitInTurn();
        } else if (keeping.isKept() && !site.draining) {
            // The next request is read when the answers before it are.
            unread = true;
            outbound.moves();
            deadline.in(site.limits.idleTime());
        } else {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Whoever has sent many requests at once lets others come in between. */
    private void awaitInTurn() {
        if (++inARow < MOST_IN_A_ROW && sentInARow < MUCH) {
            await();
            return;
        }
        inARow = 0;
        sentInARow = 0;
        // By the clock: what is merely executed comes before anything is read from others.
        loop().schedule(this::awaitIfIdle, 1, TimeUnit.MICROSECONDS);
    }

    private void awaitIfIdle() {
        if (!isGone() && !answering && !lingering) {
            await();
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
        noteRefused(refusal);
        if (!isGone()) {
            HttpResponse response = Heads.response(refusal.answer());
            if (answering) {
                noteSent(response);
            }
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

    /** The body comes so slowly that it is given up. */
    void tooSlow() {
        gone();
        breakOff(Refusal.TOO_SLOW);
    }

    /** Without lingering: what is to make room is not kept for another second. */
    void crowdedOut(Refusal why) {
        boolean waitsForIt = answering ? !requestRead && !headSent : requestRead;
        if (channel().isActive()) {
            site.traffic.add(Count.UNREAD);
        }
        gone();
        if (waitsForIt && !lingering) {
            breakOff(why);
        }
        context.close();
    }

    private void tooLate() {
        if (!answering && outbound.moves()) {
            deadline.in(site.limits.idleTime());
            return;
        }
        boolean tooSlow = answering ? !requestRead : isInHead();
        if (tooSlow && !isGone()) {
            tooSlow();
        } else {
            drop();
        }
    }
}
