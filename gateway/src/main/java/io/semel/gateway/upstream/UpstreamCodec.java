// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.semel.gateway.budget.PartialMessage;
import io.semel.gateway.http.HeadSyntax;
import io.semel.gateway.http.MalformedHead;
import io.semel.gateway.http.StrictHeaders;
import java.util.List;

/** The HTTP/1 codec for upstreams: one request, one response; bytes outside a response are never taken for one. */
public final class UpstreamCodec extends CombinedChannelDuplexHandler<UpstreamCodec.Decoder, HttpRequestEncoder> {

    private static final int MOST_HEADER = 64 << 10;
    private static final int CHUNK = 64 << 10;

    UpstreamCodec(PartialMessage arriving) {
        super(new Decoder(arriving), new HttpRequestEncoder());
    }

    /** From now on an answer is expected. */
    void expect(boolean toHead) {
        inboundHandler().toHead = toHead;
        inboundHandler().expecting = true;
    }

    static final class Decoder extends HttpResponseDecoder {

        private final PartialMessage arriving;
        private boolean expecting;
        private boolean toHead;
        private boolean inHead = true;
        private boolean lineRead;
        private boolean interim;
        private boolean switching;
        private boolean tlsEnded;

        Decoder(PartialMessage arriving) {
            super(new HttpDecoderConfig()
                    .setMaxInitialLineLength(MOST_HEADER)
                    .setMaxHeaderSize(MOST_HEADER)
                    .setMaxChunkSize(CHUNK)
                    .setAllowDuplicateContentLengths(false)
                    .setStrictLineParsing(true)
                    .setUseRfc9112TransferEncoding(true)
                    .setHeadersFactory(StrictHeaders.OF_SERVICE)
                    .setTrailersFactory(StrictHeaders.OF_SERVICE));
            this.arriving = arriving;
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) throws Exception {
            if (!expecting && buffer.isReadable()) {
                // The response before is complete and stays as it is; these bytes belong to no request.
                buffer.skipBytes(buffer.readableBytes());
                context.close();
                return;
            }
            if (inHead && !switching && buffer.isReadable()) {
                look(buffer);
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

        /** An answer that ends with its connection is whole only if TLS was ended too: anybody on the way can end a connection. */
        @Override
        protected void decodeLast(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) throws Exception {
            int before = out.size();
            super.decodeLast(context, buffer, out);
            boolean cut = !tlsEnded && context.pipeline().get(SslHandler.class) != null;
            for (int i = before; cut && i < out.size(); i++) {
                if (out.get(i) instanceof LastHttpContent) {
                    out.set(i, cutOff());
                }
            }
        }

        private static LastHttpContent cutOff() {
            LastHttpContent end = new DefaultLastHttpContent();
            end.setDecoderResult(DecoderResult.failure(new MalformedHead("It ended without the end of TLS.")));
            return end;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event instanceof SslCloseCompletionEvent end) {
                tlsEnded = end.isSuccess();
            }
            super.userEventTriggered(context, event);
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

        private void look(ByteBuf buffer) {
            boolean begins = lineRead || buffer.getByte(buffer.readerIndex()) == 'H';
            boolean whole = !lineRead && HeadSyntax.hasLine(buffer);
            lineRead |= whole;
            if (!begins || (whole && !HeadSyntax.isStatusLine(buffer))) {
                throw malformed(buffer, "It does not begin with a status line.");
            }
            if (HeadSyntax.hasFold(buffer)) {
                throw malformed(buffer, "A header line is folded.");
            }
            if (HeadSyntax.hasOddName(buffer, whole)) {
                throw malformed(buffer, "A header line does not begin with a name.");
            }
        }

        private static MalformedHead malformed(ByteBuf buffer, String why) {
            buffer.skipBytes(buffer.readableBytes());
            return new MalformedHead(why);
        }

        private void note(Object message) {
            if (message instanceof HttpResponse response) {
                inHead = false;
                boolean switched = response.status().code() == 101;
                interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL && !switched;
                // Bytes after a switch belong to another protocol and are not checked here.
                switching |= switched;
            }
            if (message instanceof LastHttpContent) {
                inHead = true;
                lineRead = false;
                expecting = interim || switching;
            }
        }

        /** An answer to HEAD has the length of a body and no body. */
        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            HttpResponse response = (HttpResponse) message;
            check(response);
            // Netty waits for the body of a switch as WebSocket drafts of 2010 had it, and so for ever.
            return toHead || response.status().code() == 101 || super.isContentAlwaysEmpty(message);
        }

        private static void check(HttpResponse response) {
            HttpVersion version = response.protocolVersion();
            boolean old = version.equals(HttpVersion.HTTP_1_0);
            int status = response.status().code();
            if ((!old && !version.equals(HttpVersion.HTTP_1_1)) || status < 100 || status > 999) {
                throw new MalformedHead("It begins with " + version + " " + status + ".");
            }
            checkFraming(response.headers(), old);
        }

        private static void checkFraming(HttpHeaders headers, boolean old) {
            List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
            List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
            if (lengths.size() > 1 || (lengths.size() == 1 && !lengths.get(0).matches("\\d{1,18}"))) {
                throw new MalformedHead("Its length is not one number.");
            }
            if (codings.isEmpty()) {
                return;
            }
            boolean chunked = codings.size() == 1 && codings.get(0).strip().equalsIgnoreCase("chunked");
            if (!chunked || old || !lengths.isEmpty()) {
                throw new MalformedHead("Where its body ends can be read in two ways.");
            }
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new MalformedHead("Both Content-Length and Transfer-Encoding are given.");
        }
    }
}
