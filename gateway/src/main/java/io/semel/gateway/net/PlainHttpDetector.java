// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.semel.gateway.http.Responses;
import io.semel.http.Answer;

/** Answers plain HTTP requests on a TLS port with an explanation, where TLS alone would hang up. */
public final class PlainHttpDetector extends ChannelInboundHandlerAdapter {

    private final Answer answer;

    public PlainHttpDetector(Answer answer) {
        this.answer = answer;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.pipeline().remove(this);
        if (message instanceof ByteBuf bytes && bytes.isReadable() && isMethod(bytes.getByte(bytes.readerIndex()))) {
            bytes.release();
            context.writeAndFlush(Responses.bytes(answer));
            LingeringClose.begin(context.channel(), true);
        } else {
            context.fireChannelRead(message);
        }
    }

    /** Records of TLS begin with a small number, requests with a capital letter. */
    private static boolean isMethod(byte first) {
        return first >= 'A' && first <= 'Z';
    }
}
