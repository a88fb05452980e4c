// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.semel.gateway.budget.MemoryCost;
import io.semel.gateway.budget.PartialMessage;
import io.semel.gateway.callers.ClientPeer;
import io.semel.gateway.exchange.ClientHandler;
import io.semel.gateway.exchange.ConnectionCharge;
import io.semel.gateway.exchange.GatewayContext;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.http.Responses;
import io.semel.gateway.inbound.ClientCodec;
import io.semel.gateway.inbound.FloodGuard;
import io.semel.gateway.inbound.ReadGate;
import io.semel.gateway.inbound.StreamBudget;
import io.semel.gateway.net.Deadline;
import io.semel.gateway.net.DrainEvent;
import io.semel.gateway.net.LingeringClose;
import io.semel.gateway.net.OutOfMemory;
import io.semel.gateway.net.PlainHttpDetector;
import io.semel.gateway.net.ReloadingTls;
import io.semel.gateway.traffic.Traffic.Count;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sets a client's connection up: TLS if there are certificates, then HTTP/1 or HTTP/2, as the client has it. */
final class ClientChannelInitializer extends ChannelInitializer<Channel> {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final GatewayContext gateway;
    private final @Nullable ReloadingTls tls;

    ClientChannelInitializer(GatewayContext gateway, @Nullable ReloadingTls tls) {
        this.gateway = gateway;
        this.tls = tls;
    }

    @Override
    protected void initChannel(Channel channel) {
        int open = gateway.connections.incrementAndGet();
        channel.closeFuture().addListener(closed -> gateway.connections.decrementAndGet());
        gateway.plain.add(channel);
        int ofAddress = gateway.shares.open(channel);
        if (gateway.draining) {
            channel.close();
            return;
        }
        if (open > gateway.limits.connections()) {
            gateway.traffic.add(Count.TURNED_AWAY);
            channel.close();
            return;
        }
        if (isTooMany(ofAddress, channel.remoteAddress())) {
            turnAway(channel, open);
            return;
        }
        if (tls == null) {
            channel.pipeline().addLast(new Sniffer());
            channel.read();
        } else if (!ConnectionCharge.admit(gateway, channel, MemoryCost.TLS)) {
            gateway.traffic.add(Count.TURNED_AWAY);
            channel.close();
        } else {
            channel.pipeline().addLast(new PlainHttpDetector(Refusal.TLS_EXPECTED.answer()));
            channel.pipeline().addLast(tls.current().newHandler(channel.alloc()));
            channel.pipeline().addLast(new Negotiation());
            channel.read();
        }
    }

    /** Behind a trusted proxy are many. */
    private boolean isTooMany(int ofAddress, SocketAddress peer) {
        int most = gateway.limits.addressConnections();
        return most > 0 && ofAddress > most && !gateway.trusted.include(peer);
    }

    /** Says why, unless that would take a handshake, or there is little room left for others while the client reads it. */
    private void turnAway(Channel channel, int open) {
        gateway.traffic.add(Count.TURNED_AWAY);
        if (tls != null || open > gateway.limits.connections() / 4 * 3) {
            channel.close();
        } else {
            channel.writeAndFlush(Responses.bytes(Refusal.TOO_MANY_CONNECTIONS.answer()));
            LingeringClose.begin(channel);
        }
    }

    private void http1(ChannelPipeline pipeline) {
        ClientHandler handler = new ClientHandler(gateway, pipeline.channel());
        PartialMessage arriving = new PartialMessage(gateway.shares.arriving(pipeline.channel()), handler::crowdedOut);
        pipeline.addLast(new ClientCodec(gateway.limits.headerBytes(), handler::started, arriving));
        pipeline.addLast(new ReadGate(gateway.shares, gateway.traffic));
        pipeline.addLast(handler);
    }

    private void http2(ChannelPipeline pipeline) {
        if (!ConnectionCharge.admit(gateway, pipeline.channel(), MemoryCost.HTTP2 + gateway.limits.headerBytes())) {
            gateway.traffic.add(Count.TURNED_AWAY);
            pipeline.channel().close();
            return;
        }
        Http2Settings settings = Http2Settings.defaultSettings()
                .maxConcurrentStreams(gateway.limits.streams())
                .maxHeaderListSize(gateway.limits.headerBytes());
        Http2FrameCodec codec = Http2FrameCodecBuilder.forServer()
                .initialSettings(settings)
                .validateHeaders(true)
                .gracefulShutdownTimeoutMillis(gateway.limits.drainTime().toMillis())
                .build();
        pipeline.addLast(codec);
        pipeline.addLast(new IdleStateHandler(0, 0, gateway.limits.idleTime().toMillis(), TimeUnit.MILLISECONDS) {
            @Override
            protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
                // Streams have limits of their own, some of them longer, as while a service works.
                if (codec.connection().numActiveStreams() == 0) {
                    context.close();
                }
            }
        });
        pipeline.addLast(new FloodGuard(gateway.traffic));
        StreamBudget parts = new StreamBudget(gateway.shares, gateway.traffic);
        pipeline.addLast(parts);
        pipeline.addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.config().setAutoRead(false);
                stream.pipeline().addLast(parts.of((Http2StreamChannel) stream));
                stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
                stream.pipeline().addLast(new ClientHandler(gateway, stream));
            }
        }));
        pipeline.addLast(new ChannelInboundHandlerAdapter() {
            /** The codec before has said so to the client, and closes. */
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                gateway.faulty(cause);
            }
        });
        pipeline.channel().config().setAutoRead(true);
        gateway.plain.remove(pipeline.channel());
        gateway.streaming.add(pipeline.channel());
        if (gateway.draining) {
            pipeline.channel().close();
        }
    }

    /** Tells the two versions apart by the first bytes, where no TLS has done so. */
    private final class Sniffer extends ByteToMessageDecoder {

        private @Nullable Deadline deadline;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            deadline = new Deadline(context.channel(), context::close);
            deadline.in(gateway.limits.idleTime());
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            int seen = Math.min(in.readableBytes(), PREFACE.length);
            for (int i = 0; i < seen; i++) {
                if (in.getByte(in.readerIndex() + i) != PREFACE[i]) {
                    become(context, false);
                    return;
                }
            }
            if (seen == PREFACE.length) {
                become(context, true);
            }
        }

        private void become(ChannelHandlerContext context, boolean two) {
            if (deadline != null) {
                deadline.never();
            }
            if (two) {
                http2(context.pipeline());
            } else {
                http1(context.pipeline());
            }
            context.pipeline().remove(this);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) throws Exception {
            super.channelReadComplete(context);
            if (!context.isRemoved()) {
                context.read();
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event == DrainEvent.BEGUN && actualReadableBytes() == 0) {
                context.close();
            } else {
                super.userEventTriggered(context, event);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            OutOfMemory.check(cause);
            context.close();
        }
    }

    private final class Negotiation extends ApplicationProtocolNegotiationHandler {

        Negotiation() {
            super(ApplicationProtocolNames.HTTP_1_1);
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            ClientPeer.secured(context.channel());
            if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                http2(context.pipeline());
            } else if (gateway.draining) {
                context.close();
            } else {
                http1(context.pipeline());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            OutOfMemory.check(cause);
            context.close();
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
            OutOfMemory.check(cause);
            context.close();
        }
    }
}
