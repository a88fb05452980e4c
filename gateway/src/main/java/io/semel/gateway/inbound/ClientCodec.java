// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.inbound;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.budget.PartialMessage;
import io.semel.gateway.http.HeadSyntax;
import io.semel.gateway.http.MalformedHead;
import io.semel.gateway.http.StrictHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The HTTP/1 codec for clients: refuses everything that two hops could read differently, which would allow request smuggling. */
public final class ClientCodec extends CombinedChannelDuplexHandler<ClientCodec.Decoder, ClientCodec.Encoder> {

    private static final int CHUNK = 64 << 10;

    /** @param started is told when the first bytes of a head have come */
    public ClientCodec(int headerBytes, Runnable started, PartialMessage arriving) {
        super(new Decoder(headerBytes, started, arriving), new Encoder());
    }

    /** Which method is answered from now on: not that of the request that was decoded last, which may be one behind it. */
    public void answering(HttpMethod method) {
        outboundHandler().method = method;
    }

    /** Whether the head of a request has begun to come, and not ended. */
    public boolean isInHead() {
        return inboundHandler().inHead && inboundHandler().begun;
    }

    static final class Decoder extends HttpRequestDecoder {

        private final Runnable started;
        private final PartialMessage arriving;
        private boolean inHead = true;
        private boolean begun;
        private boolean lineRead;
        private boolean refused;

        Decoder(int headerBytes, Runnable started, PartialMessage arriving) {
            super(new HttpDecoderConfig()
                    .setMaxInitialLineLength(headerBytes)
                    .setMaxHeaderSize(headerBytes)
                    .setMaxChunkSize(CHUNK)
                    .setAllowDuplicateContentLengths(false)
                    .setStrictLineParsing(true)
                    .setUseRfc9112TransferEncoding(true)
                    .setHeadersFactory(StrictHeaders.OF_CLIENT)
                    .setTrailersFactory(StrictHeaders.OF_CLIENT));
            this.started = started;
            this.arriving = arriving;
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) throws Exception {
            if (refused) {
                buffer.skipBytes(buffer.readableBytes());
                return;
            }
            if (inHead && !lineRead) {
                HeadSyntax.skipEmpty(buffer);
            }
            if (inHead && buffer.isReadable() && !look(buffer)) {
                refuse(buffer, out);
                return;
            }
            int before = out.size();
            int from = buffer.readerIndex();
            super.decode(context, buffer, out);
            if (out.size() > before) {
                arriving.shown();
            } else {
                arriving.took(buffer, from);
            }
            for (int i = before; i < out.size(); i++) {
                note(out.get(i));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            super.channelRead(context, message);
            arriving.count(context, internalBuffer().capacity());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            super.channelInactive(context);
            arriving.drop();
        }

        @Override
        protected void handlerRemoved0(ChannelHandlerContext context) throws Exception {
            super.handlerRemoved0(context);
            arriving.drop();
        }

        /** False where Netty would join or skip white space that others might not. */
        private boolean look(ByteBuf buffer) {
            if (!begun) {
                begun = true;
                started.run();
            }
            boolean odd = !lineRead && buffer.getByte(buffer.readerIndex()) <= ' ';
            if (odd || HeadSyntax.hasFold(buffer)) {
                return false;
            }
            boolean whole = !lineRead && HeadSyntax.hasLine(buffer);
            lineRead |= whole;
            return !whole || HeadSyntax.isRequestLine(buffer);
        }

        /** Like everything that cannot be read it waits for its turn: those before it have their answers first. */
        private void refuse(ByteBuf buffer, List<Object> out) {
            refused = true;
            buffer.skipBytes(buffer.readableBytes());
            HttpMessage invalid = createInvalidMessage();
            invalid.setDecoderResult(
                    DecoderResult.failure(new MalformedHead("There is white space where there should be none.")));
            out.add(invalid);
            note(invalid);
        }

        private void note(Object message) {
            if (message instanceof HttpRequest) {
                inHead = false;
            }
            if (message instanceof LastHttpContent) {
                inHead = true;
                begun = false;
                lineRead = false;
            }
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new MalformedHead("Both Content-Length and Transfer-Encoding are given.");
        }
    }

    /** Knows the method, because a response to HEAD has the length of a body and no body. */
    static final class Encoder extends HttpResponseEncoder {

        private @Nullable HttpMethod method;

        @Override
        protected boolean isContentAlwaysEmpty(HttpResponse response) {
            return HttpMethod.HEAD.equals(method) || super.isContentAlwaysEmpty(response);
        }
    }
}
