// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
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
import io.netty.util.ReferenceCountUtil;
import io.semel.gateway.budget.Charge;
import io.semel.gateway.callers.CallerRefused;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.http.Responses;
import io.semel.gateway.log.LogText;
import io.semel.gateway.log.ThrottledLog;
import io.semel.gateway.quota.StorageQuotas;
import io.semel.gateway.traffic.AccessRecord;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.gateway.upstream.UpstreamPool;
import io.semel.http.Answer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The client's side of one exchange: passes the request's body on, sends the response, and decides whether the connection is kept. */
final class ClientExchange {

    private static final ThrottledLog LOG = new ThrottledLog(ClientExchange.class);
    private static final int MOST_NOTED = 300;
    /** A longer unwanted body is not read to its end; its connection is closed instead. */
    private static final long MOST_DISCARDED = 1 << 20;

    private final GatewayContext gateway;
    private final ClientHandler client;
    private final AccessRecord note;
    private final Charge head;
    private final @Nullable ConnectionCharge connection;

    private final boolean old;
    private final boolean shortBody;
    private boolean kept;
    private boolean awaitsContinue;

    private @Nullable Exchange exchange;
    /** A body that arrived together with its head, before the exchange was ready for it. */
    private @Nullable HttpContent early;

    private boolean requestRead;
    private boolean answering = true;
    private boolean headSent;
    private long discarded;

    ClientExchange(GatewayContext gateway, ClientHandler client, HttpRequest request) {
        this.gateway = gateway;
        this.client = client;
        this.note = AccessRecord.of(request, client.channel(), gateway.ids);
        this.head = client.charge();
        this.connection = ConnectionCharge.of(client.channel());
        this.old = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        this.kept = HttpUtil.isKeepAlive(request);
        this.awaitsContinue = HttpUtil.is100ContinueExpected(request);
        String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        this.shortBody = length != null && length.matches("\\d{1,9}") && Integer.parseInt(length) <= MOST_DISCARDED;
        gateway.traffic.exchange(1);
        if (connection != null) {
            connection.begins();
        }
    }

    AccessRecord note() {
        return note;
    }

    Channel channel() {
        return client.channel();
    }

    EventLoop loop() {
        return client.loop();
    }

    /** For bytes that the client makes us hold. */
    Charge charge() {
        return client.charge();
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

    boolean isAnswered() {
        return !answering;
    }

    /** Whether its request is read and its response is sent. */
    boolean isOver() {
        return !answering && requestRead;
    }

    /** Whether the client has been sent a part of its response. */
    boolean isInResponse() {
        return answering && headSent;
    }

    /** Why it is refused if its body takes too long. */
    Refusal tooSlowBody() {
        return exchange == null ? Refusal.TOO_SLOW : exchange.tooSlow();
    }

    /** Whether the client sends, before it has been sent anything. */
    boolean isWaitingForRequest() {
        return answering ? !requestRead && !headSent : requestRead;
    }

    /** Why there is no room for the head of the request; null if there is. */
    @Nullable
    Refusal holdHead(long cost) {
        return head.take(cost);
    }

    /** Passes the body to that exchange from now on. */
    void give(Exchange to) {
        exchange = to;
    }

    /** Asks for the next part of the body; none comes unasked. */
    void read() {
        HttpContent whole = early;
        early = null;
        if (whole != null && exchange != null) {
            exchange.body(whole);
        } else if (!requestRead) {
            channel().read();
        }
        if (!requestRead && answering) {
            // The client decides how long its head is held.
            head.waits(() -> loop().execute(this::evicted));
        }
    }

    private void evicted() {
        if (answering && !requestRead) {
            gateway.traffic.add(Count.UNREAD);
            tooSlow();
        }
    }

    void body(HttpContent content) {
        requestRead = content instanceof LastHttpContent;
        if (requestRead) {
            head.waitsNoMore();
        } else {
            head.passed(content.content().readableBytes());
        }
        boolean answeredBefore = !answering;
        if (exchange != null) {
            exchange.body(content);
        } else if (answering) {
            early = content;
        } else {
            discard(content);
        }
        if (requestRead && answeredBefore) {
            client.next(true, kept);
        }
    }

    /** Reads the rest of an unwanted body, so that the client sees the response and the connection can be kept. */
    private void discard(HttpContent content) {
        discarded += content.content().readableBytes();
        content.release();
        if (!requestRead && discarded > MOST_DISCARDED) {
            client.linger();
        } else if (!requestRead) {
            channel().read();
        }
    }

    void clientWritable() {
        if (exchange != null) {
            exchange.clientWritable();
        }
    }

    /** The client is gone; an exchange that goes on without it sends its response later all the same. */
    void gone() {
        Exchange left = exchange;
        exchange = null;
        if (left != null) {
            left.clientGone();
        }
    }

    /** The body arrives so slowly that it is given up. */
    void tooSlow() {
        client.tooSlow();
    }

    /** Tells a client that waits for it to send the body. */
    void goOn(HttpRequest request) {
        awaitsContinue = false;
        if (HttpUtil.is100ContinueExpected(request)) {
            channel().writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    void within(Duration span) {
        client.within(span);
    }

    void unhurried() {
        client.unhurried();
    }

    void malformed(Refusal refusal) {
        client.malformed(refusal);
    }

    void refuse(Refusal refusal) {
        gateway.traffic.add(Count.REFUSED);
        note.refused(refusal.slug());
        send(refusal.answer());
    }

    void refuse(CallerRefused refused) {
        gateway.traffic.add(Count.REFUSED);
        Refusal reason = Refusal.reason(refused);
        note.refused(reason.slug());
        LOG.warn(
                "A request was refused as " + reason.slug() + ".",
                noted(String.valueOf(refused.getMessage())),
                refused.getCause());
        send(Refusal.of(refused));
    }

    void refuse(StorageQuotas.UsedUp used, String caller) {
        gateway.traffic.add(Count.QUOTA_USED_UP);
        note.refused(Refusal.QUOTA_USED_UP.slug());
        LOG.warn(
                "A new key was refused, because the quota of its " + used.whose() + " is used up.",
                noted("Caller " + caller),
                null);
        send(Refusal.QUOTA_USED_UP.answer(used.left()));
    }

    /** The request was not sent, for want of a connection. */
    void unreachable(Throwable cause) {
        refuse(cause instanceof UpstreamPool.TooMany ? Refusal.OVERLOADED : Refusal.UPSTREAM_UNREACHABLE);
    }

    /** For a fault of the gateway: refuses if nothing was sent yet, else breaks off. */
    void fail(Refusal refusal) {
        if (answering && headSent) {
            abort();
        } else if (answering) {
            refuse(refusal);
        }
    }

    /** Parts of the text may come from the client. */
    private String noted(String text) {
        String why = LogText.of(text);
        return (why.length() > MOST_NOTED ? why.substring(0, MOST_NOTED) + "…" : why) + " " + note;
    }

    void send(Answer answer) {
        send(Responses.response(answer));
    }

    /** Sends the head, a part or the end of the response; after its end the next request is read. */
    void send(HttpObject part) {
        noteSent(part);
        if (isGone() || client.isLingering()) {
            ReferenceCountUtil.release(part);
            if (part instanceof LastHttpContent) {
                gateway.traffic.add(Count.CLIENT_GONE);
                end();
            }
            return;
        }
        if (!answering) {
            // A fault of ours: a second response would be taken for that of the next request.
            ReferenceCountUtil.release(part);
            LOG.warn("A request was answered twice; its connection is closed.", new IllegalStateException("answered"));
            client.drop();
            return;
        }
        if (part instanceof HttpResponse response) {
            frame(response);
            headSent = true;
        }
        if (part instanceof LastHttpContent last) {
            int bytes = last.content().readableBytes();
            channel().writeAndFlush(part, channel().voidPromise());
            end();
            client.answered(bytes);
            client.next(requestRead, kept);
        } else {
            channel().write(part, channel().voidPromise());
        }
    }

    private void noteSent(HttpObject part) {
        boolean sent = !isGone() && !client.isLingering();
        if (part instanceof HttpResponse response) {
            note.answered(response.status().code());
            gateway.ids.add(response.headers(), note.id());
        }
        if (part instanceof HttpContent content && sent) {
            note.sent(content.content().readableBytes());
        } else if (!sent) {
            note.cut();
        }
    }

    private void frame(HttpResponse response) {
        if (client.isStream()) {
            return;
        }
        // A client that was not told to go on may send its body or not: the next bytes could be either.
        kept &= !gateway.draining && (requestRead || (shortBody && !awaitsContinue));
        if (old) {
            response.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
            kept &= response.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
        }
        if (!kept) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (old) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }

    void flush() {
        client.flush();
    }

    /** Sends a last response; the client's bytes after it are not read. */
    void breakOff(Refusal refusal) {
        kept = false;
        requestRead = true;
        note.refused(refusal.slug());
        if (!isGone()) {
            HttpResponse response = Responses.response(refusal.answer());
            noteSent(response);
            frame(response);
            channel().writeAndFlush(response);
        }
        end();
    }

    /** Ends a response that cannot be completed, so that the client sees that it is incomplete. */
    void abort() {
        note.cut();
        end();
        channel().close();
    }

    /** Ends the exchange without a response, because its client is gone. */
    void leave() {
        end();
    }

    /** Sends the last HTTP message of this connection, which speaks another protocol from now on. */
    void surrender(HttpContent last) {
        channel().writeAndFlush(last);
        requestRead = true;
        end();
        client.unhurried();
    }

    private void end() {
        if (answering) {
            answering = false;
            head.clear();
            gateway.traffic.exchange(-1);
            if (connection != null) {
                connection.ends();
            }
            gateway.log(note);
        }
        exchange = null;
        if (early != null) {
            early.release();
            early = null;
        }
    }
}
