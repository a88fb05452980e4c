// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.semel.http.Answer;
import java.nio.charset.StandardCharsets;

/** An answer as bytes, the last of a connection that has no codec. */
final class Bare {

    static ByteBuf bytes(Answer answer) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(HttpResponseStatus.valueOf(answer.status()))
                .append("\r\n");
        answer.headers()
                .forEach(line -> head.append(line.name())
                        .append(": ")
                        .append(line.value())
                        .append("\r\n"));
        head.append("Content-Length: ").append(answer.body().length).append("\r\nConnection: close\r\n\r\n");
        return Unpooled.wrappedBuffer(head.toString().getBytes(StandardCharsets.US_ASCII), answer.body());
    }

    private Bare() {}
}
