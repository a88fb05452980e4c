// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.upstream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.Errors;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.semel.gateway.budget.PartialMessage;
import io.semel.gateway.config.Limits;
import io.semel.gateway.config.Upstream;
import io.semel.gateway.net.Deadline;
import io.semel.gateway.net.OutOfMemory;
import io.semel.gateway.net.Transport;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One connection to an upstream: it carries one exchange at a time and is idle in the pool between two. */
public final class UpstreamConnection extends ChannelInboundHandlerAdapter {

    private final UpstreamPool lane;
    private final Limits limits;
    private final UpstreamCodec codec;
    private @Nullable Channel channel;
    private @Nullable Deadline deadline;
    private @Nullable UpstreamExchange reader;
    private @Nullable Object client;
    private boolean reused;
    private boolean sent;
    private boolean keepAlive;
    private boolean interim;
    private boolean upgrading;
    private boolean switching;
    private boolean ended;
    private boolean counted = true;

    UpstreamConnection(UpstreamPool lane, Limits limits, Object client) {
        this.client = client;
        this.lane = lane;
        this.limits = limits;
        this.codec = new UpstreamCodec(new PartialMessage(lane.charge(), why -> crowdedOut()));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
        deadline = new Deadline(channel, this::tooLate);
    }

    /** From now on it counts for that client. */
    void takenFor(Object next) {
        client = next;
    }

    /** For whom it counted; null if for nobody. */
    @Nullable
    Object left() {
        Object before = client;
        client = null;
        return before;
    }

    public Upstream upstream() {
        return lane.upstream();
    }

    UpstreamCodec codec() {
        return codec;
    }

    public Channel channel() {
        return Objects.requireNonNull(channel);
    }

    /** Whether an exchange failed because the upstream had closed a connection on which it had responded before. */
    public boolean wasClosedUnseen(Throwable cause) {
        return reused
                && (cause instanceof EOFException
                        || cause instanceof SocketException
                        || cause instanceof ClosedChannelException
                        || cause instanceof Errors.NativeIoException);
    }

    public boolean isReading(UpstreamExchange by) {
        return reader == by;
    }

    public boolean isWritable() {
        return channel().isWritable();
    }

    /** Hands the connection over; a failure of the exchange is reported to it, as unreachable if nothing was sent. */
    void giveTo(UpstreamExchange waiting) {
        try {
            waiting.connected(this);
        } catch (RuntimeException | Error e) {
            if (reader != null) {
                fail(e);
            } else {
                OutOfMemory.check(e);
                close();
                waiting.unreachable(e);
            }
        }
    }

    /** Begins an exchange with the head of a request; everything that arrives from now on goes to it. */
    public void begin(UpstreamExchange to, HttpRequest request) {
        reader = to;
        sent = false;
        interim = false;
        ended = false;
        upgrading = request.headers().contains(HttpHeaderNames.UPGRADE);
        codec.expect(request.method().equals(HttpMethod.HEAD));
        write(request);
    }

    /** Removes it from the count of its pool; true the first time. */
    boolean uncount() {
        boolean first = counted;
        counted = false;
        return first;
    }

    public void write(HttpObject part) {
        note(part);
        channel().write(part, channel().voidPromise());
    }

    /**
     * Writes a part of the request.
     *
     * @param gone is told when the part was handed to the kernel, or never will be
     */
    public void write(HttpObject part, Runnable gone) {
        note(part);
        channel().write(part).addListener(done -> gone.run());
    }

    private void note(HttpObject part) {
        if (part instanceof LastHttpContent) {
            sent = true;
            deadline().in(limits.answerTime());
        }
    }

    public void flush() {
        channel().flush();
    }

    public void pause() {
        channel().config().setAutoRead(false);
        deadline().never();
    }

    public void resume() {
        deadline().in(limits.answerTime());
        channel().config().setAutoRead(true);
    }

    /** It carries another protocol from now on. */
    public void leave() {
        lane.closed(this);
    }

    /** Gives the exchange up; nothing more goes to it. */
    public void close() {
        reader = null;
        deadline().never();
        channel().close();
    }

    void rest(Duration span) {
        deadline().in(span);
    }

    /** Whether it is still good; if so it is not idle any more. */
    boolean reuse() {
        reused = true;
        deadline().never();
        return channel().isActive() && Transport.isEstablished(channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        UpstreamExchange to = reader;
        if (to == null || !(message instanceof HttpObject part)) {
            ReferenceCountUtil.release(message);
            context.close();
            return;
        }
        if (part.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            fail(new IOException(
                    "its answer is malformed: " + part.decoderResult().cause().getMessage()));
            return;
        }
        if (isInterim(part)) {
            return;
        }
        if (switching && !upgrading) {
            ReferenceCountUtil.release(message);
            fail(new IOException("it switched protocols, which it was not asked to"));
            return;
        }
        try {
            pass(to, part);
        } catch (RuntimeException | Error e) {
            // The reader hears of it even if this was the last it would have heard.
            reader = to;
            fail(e);
        }
    }

    /** 100 and 103 end at the gateway, which sends 100 itself to clients that expect it. */
    private boolean isInterim(HttpObject part) {
        if (part instanceof HttpResponse response) {
            switching = response.status().code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code();
            interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL && !switching;
            keepAlive = HttpUtil.isKeepAlive(response);
        }
        if (interim) {
            ReferenceCountUtil.release(part);
        }
        return interim;
    }

    private void pass(UpstreamExchange to, HttpObject part) {
        if (sent) {
            deadline().in(limits.answerTime());
        }
        if (part instanceof HttpResponse response) {
            to.head(response);
        }
        if (part instanceof HttpContent content) {
            boolean last = content instanceof LastHttpContent;
            if (last) {
                end();
            }
            to.content(content);
        }
    }

    private void end() {
        reader = null;
        deadline().never();
        if (switching) {
            // The connection belongs to the tunnel from now on.
            return;
        }
        ended = true;
        if (!keepAlive || !sent) {
            channel().close();
        } else {
            channel().config().setAutoRead(true);
        }
    }

    /** Only now is it certain that no bytes follow the response; such bytes would close the connection. */
    private void keep() {
        ended = false;
        if (channel().isActive()) {
            lane.keep(this);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (reader != null) {
            reader.pausing();
        } else if (ended) {
            keep();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (reader != null && context.channel().isWritable()) {
            reader.writable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(new EOFException("it closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(cause);
    }

    private void crowdedOut() {
        fail(new IOException("there was no room for a part of its answer that did not come to its end"));
    }

    private void tooLate() {
        fail(new SocketTimeoutException(
                "it did not answer within " + limits.answerTime().toMillis() + " ms"));
    }

    private void fail(Throwable cause) {
        OutOfMemory.check(cause);
        UpstreamExchange to = reader;
        reader = null;
        deadline().never();
        channel().close();
        if (to != null) {
            to.failed(cause);
        }
    }

    private Deadline deadline() {
        return Objects.requireNonNull(deadline);
    }
}
