// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.budget;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;

/** Estimates the memory of a held message, which is much more than its bytes if it is small. */
public final class MemoryCost {

    /** Of a part of a body, beside its bytes. */
    public static final long PART = 256;

    /** Of a connection with TLS, with a record that has not come to its end. */
    public static final long TLS = 32 << 10;
    /** Of a connection with HTTP/2, beside a header block that has not come to its end. */
    public static final long HTTP2 = 16 << 10;

    private static final byte NEWLINE = '\n';
    private static final int HEAD = 1024;
    /** Of a name and a value with their places in the list; the bytes of them are bounded by those of the whole head. */
    private static final int LINE = 192;

    public static long of(Object message) {
        if (message instanceof HttpRequest request) {
            return HEAD + (long) LINE * request.headers().size() + request.uri().length();
        }
        if (message == LastHttpContent.EMPTY_LAST_CONTENT) {
            return 0;
        }
        return message instanceof HttpContent part ? PART + part.content().readableBytes() : PART;
    }

    /** Of bytes that became lines of a head, with places in its list. */
    static long ofLines(ByteBuf buffer, int from, int to) {
        long cost = (long) to - from;
        for (int at = buffer.indexOf(from, to, NEWLINE); at >= 0; at = buffer.indexOf(at + 1, to, NEWLINE)) {
            cost += LINE;
        }
        return cost;
    }

    private MemoryCost() {}
}
