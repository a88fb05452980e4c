// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** Reads off the rest of a body that nobody wants, so that the client hears the answer and may go on. */
final class Discarding implements Exchange {

    private static final long MOST = 1 << 20;

    private final Front front;
    private long read;

    Discarding(Front front) {
        this.front = front;
    }

    /** Whether a body of that Content-Length would be read off to its end; one of unknown length would not. */
    static boolean isShort(@Nullable String length) {
        return length != null && length.matches("\\d{1,9}") && Integer.parseInt(length) <= MOST;
    }

    @Override
    public void body(HttpContent content) {
        read += content.content().readableBytes();
        boolean last = content instanceof LastHttpContent;
        content.release();
        if (!last && read > MOST) {
            front.linger();
        } else if (!last) {
            front.read();
        }
    }
}
