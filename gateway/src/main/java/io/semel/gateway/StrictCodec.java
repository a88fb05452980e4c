// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** HTTP/1 without what one hop reads in one way and the next in another: it would let a client smuggle requests. */
final class StrictCodec extends CombinedChannelDuplexHandler<StrictCodec.Decoder, StrictCodec.Encoder> {

    private static final int CHUNK = 64 << 10;

    /** @param started is told when the first bytes of a head have come */
    StrictCodec(int headerBytes, Runnable started) {
        Encoder encoder = new Encoder();
        init(new Decoder(headerBytes, started, encoder), encoder);
    }

    /** Whether the head of a request has begun to come, and not ended. */
    boolean isInHead() {
        return inboundHandler().inHead && inboundHandler().begun;
    }

    static final class Decoder extends HttpRequestDecoder {

        private final Runnable started;
        private final Encoder encoder;
        private boolean inHead = true;
        private boolean begun;

        Decoder(int headerBytes, Runnable started, Encoder encoder) {
            super(new HttpDecoderConfig()
                    .setMaxInitialLineLength(headerBytes)
                    .setMaxHeaderSize(headerBytes)
                    .setMaxChunkSize(CHUNK)
                    .setAllowDuplicateContentLengths(false)
                    .setStrictLineParsing(true)
                    .setUseRfc9112TransferEncoding(true)
                    .setValidateHeaders(true));
            this.started = started;
            this.encoder = encoder;
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) throws Exception {
            if (inHead && buffer.isReadable()) {
                if (!begun) {
                    begun = true;
                    started.run();
                }
                if (hasFold(buffer)) {
                    buffer.skipBytes(buffer.readableBytes());
                    throw new MalformedHead("A header line is folded.");
                }
            }
            int before = out.size();
            super.decode(context, buffer, out);
            for (int i = before; i < out.size(); i++) {
                note(out.get(i));
            }
        }

        private void note(Object message) {
            if (message instanceof HttpRequest request) {
                inHead = false;
                encoder.method = request.method();
            }
            if (message instanceof LastHttpContent) {
                inHead = true;
                begun = false;
            }
        }

        /** A line of the head that begins with white space continues the one before, for some; RFC 9112 lets us refuse it. */
        private static boolean hasFold(ByteBuf buffer) {
            int from = buffer.readerIndex();
            int end = buffer.writerIndex();
            while (from < end) {
                byte first = buffer.getByte(from);
                if (first == ' ' || first == '\t') {
                    return true;
                }
                if (first == '\r' || first == '\n') {
                    return false;
                }
                int newline = buffer.indexOf(from, end, (byte) '\n');
                if (newline < 0) {
                    return false;
                }
                from = newline + 1;
            }
            return false;
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new MalformedHead("Both Content-Length and Transfer-Encoding are given.");
        }
    }

    /** Knows what was asked, because an answer to HEAD has the length of a body and no body. */
    static final class Encoder extends HttpResponseEncoder {

        private @Nullable HttpMethod method;

        @Override
        protected boolean isContentAlwaysEmpty(HttpResponse response) {
            return HttpMethod.HEAD.equals(method) || super.isContentAlwaysEmpty(response);
        }
    }

    /** A head that could be read in two ways; it has no stack trace, because clients decide how often it happens. */
    static final class MalformedHead extends RuntimeException {

        private static final long serialVersionUID = 1L;

        MalformedHead(String message) {
            super(message, null, false, false);
        }
    }
}
