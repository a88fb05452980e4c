// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import io.semel.gateway.admin.api.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One connection to the admin port: checks a request's head first, takes a thread only when the body is complete, and serves one request at a time. */
final class AdminConnection extends SimpleChannelInboundHandler<HttpObject> {

    /** For a refused client to read the response, while the rest of its request is discarded. */
    private static final Duration LINGERING = Duration.ofSeconds(1);

    private final AdminEndpoints reception;
    private final Executor threads;
    private final AdminBudget visitors;
    private final Duration requestTime;
    private @Nullable Future<?> deadline;
    private @Nullable AdminRequest head;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private boolean kept;
    private State state = State.AWAITING;

    /** @param requestTime for a request to come, from its connection or the answer before it, and for an answer to be read */
    AdminConnection(AdminEndpoints reception, Executor threads, AdminBudget visitors, Duration requestTime) {
        this.reception = reception;
        this.threads = threads;
        this.visitors = visitors;
        this.requestTime = requestTime;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        await(context, requestTime);
    }

    private void await(ChannelHandlerContext context, Duration most) {
        cancel();
        visitors.waitFor(context.channel());
        deadline = context.executor().schedule(() -> context.close(), most.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void cancel() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancel();
        visitors.leave(context.channel());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
        boolean last = message instanceof LastHttpContent;
        if (message.decoderResult().isFailure()) {
            context.close();
            return;
        }
        if (message instanceof HttpRequest request) {
            begin(context, request);
        }
        AdminRequest asked = head;
        if (message instanceof HttpContent part && state == State.READING && asked != null) {
            add(context, asked, part);
        }
        if (last && state == State.READING && asked != null) {
            answer(context, asked.with(body.toByteArray()));
        } else if (last && state == State.REFUSED) {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest request) {
        if (state != State.AWAITING) {
            context.close();
            return;
        }
        kept = HttpUtil.isKeepAlive(request);
        AdminRequest asked = request(context, request);
        head = asked;
        AdminResponse objection = reception.objection(asked);
        if (objection != null) {
            refuse(context, objection);
            return;
        }
        state = State.READING;
        if (HttpUtil.is100ContinueExpected(request)) {
            context.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    private void add(ChannelHandlerContext context, AdminRequest asked, HttpContent part) {
        int more = part.content().readableBytes();
        if (body.size() + more > AdminEndpoints.mostBody(asked)) {
            refuse(context, AdminEndpoints.tooLarge(asked));
        } else if (more > 0 && !visitors.hold(context.channel(), more)) {
            refuse(
                    context,
                    AdminResponse.of(
                            ApiResponse.error(503, "The admin port is out of memory for this request; try again.")));
        } else {
            byte[] bytes = new byte[more];
            part.content().readBytes(bytes);
            body.writeBytes(bytes);
        }
    }

    private void answer(ChannelHandlerContext context, AdminRequest request) {
        state = State.ANSWERING;
        cancel();
        visitors.waitNoMore(context.channel());
        body.reset();
        AdminResponse known = AdminEndpoints.atOnce(request);
        if (known != null) {
            send(context, known);
            return;
        }
        try {
            threads.execute(() -> {
                AdminResponse answer = reception.answer(request);
                // A loop that has ended has closed its connections, so no client is left to answer.
                if (!context.executor().isShuttingDown()) {
                    context.executor().execute(() -> send(context, answer));
                }
            });
        } catch (RejectedExecutionException e) {
            kept = false;
            send(context, AdminResponse.of(ApiResponse.error(503, "Too many requests are waiting; try again.")));
        }
    }

    private static AdminRequest request(ChannelHandlerContext context, HttpRequest message) {
        String target = message.uri();
        int mark = target.indexOf('?');
        return new AdminRequest(
                message.method().name(),
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? null : target.substring(mark + 1),
                message.headers(),
                new byte[0],
                from(context.channel().remoteAddress()));
    }

    private static String from(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getAddress().getHostAddress() : "unknown";
    }

    private void refuse(ChannelHandlerContext context, AdminResponse answer) {
        state = State.REFUSED;
        kept = false;
        visitors.give(context.channel());
        body.reset();
        context.writeAndFlush(response(answer));
        await(context, LINGERING);
    }

    /** The next request is taken when this response was read, so a connection holds one unread response at most, and not for ever. */
    private void send(ChannelHandlerContext context, AdminResponse answer) {
        visitors.give(context.channel());
        if (!context.channel().isActive() || !visitors.hold(context.channel(), answer.body().length)) {
            context.close();
            return;
        }
        await(context, requestTime);
        context.writeAndFlush(response(answer)).addListener(written -> {
            if (kept && written.isSuccess()) {
                visitors.give(context.channel());
                state = State.AWAITING;
                await(context, requestTime);
            } else {
                context.close();
            }
        });
    }

    private FullHttpResponse response(AdminResponse answer) {
        boolean headOnly = head != null && head.method().equals(HttpMethod.HEAD.name());
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                headOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(answer.body()));
        ConsoleFiles.protect(response.headers());
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.type());
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
        if (!kept) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        return response;
    }

    /** A reset or a failed handshake ends the connection and is not worth a log line. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    private enum State {
        AWAITING,
        /** Its head was found good, and its body comes. */
        READING,
        ANSWERING,
        /** The response is sent, and the rest of the request is ignored. */
        REFUSED
    }
}
