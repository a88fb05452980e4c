// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/** Headers that come over the wire, with one Content-Length at most: of several in HTTP/1.0 Netty would take the first. */
public final class StrictHeaders extends DefaultHttpHeaders {

    /** Of a client, with a limit of lines: each takes many times the memory of its bytes. */
    public static final HttpHeadersFactory OF_CLIENT = factory(RequestValidator.MOST_LINES);

    public static final HttpHeadersFactory OF_SERVICE = factory(Integer.MAX_VALUE);

    private final int most;

    private StrictHeaders(int most) {
        this.most = most;
    }

    private static HttpHeadersFactory factory(int most) {
        return new HttpHeadersFactory() {
            @Override
            public HttpHeaders newHeaders() {
                return new StrictHeaders(most);
            }

            @Override
            public HttpHeaders newEmptyHeaders() {
                return new StrictHeaders(most);
            }
        };
    }

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        if (size() >= most) {
            throw new TooLongHttpHeaderException("There are more than " + most + " lines.");
        }
        if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name) && contains(HttpHeaderNames.CONTENT_LENGTH)) {
            throw new MalformedHead("There are two lengths.");
        }
        return super.add(name, value);
    }
}
