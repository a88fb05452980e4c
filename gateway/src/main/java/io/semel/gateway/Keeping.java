// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/** Whether an HTTP/1 connection is kept after the current answer, and how the client is told. */
final class Keeping {

    private boolean old;
    private boolean kept;
    private boolean shortBody;
    private boolean waiting;

    void begin(HttpRequest request) {
        old = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        kept = HttpUtil.isKeepAlive(request);
        waiting = HttpUtil.is100ContinueExpected(request);
        // What is not short is not read off, if nobody wants it; then the client is told not to use the connection
        // again.
        shortBody = Discarding.isShort(request.headers().get(HttpHeaderNames.CONTENT_LENGTH));
    }

    /** The client has been told to send its body. */
    void goneOn() {
        waiting = false;
    }

    boolean isKept() {
        return kept;
    }

    void no() {
        kept = false;
    }

    void tell(HttpResponse response, boolean requestRead) {
        // Whoever was not told to go on may send the body or not: what comes next could be either.
        kept &= requestRead || (shortBody && !waiting);
        if (old) {
            response.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
            kept &= response.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
        }
        if (!kept) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (old) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }
}
