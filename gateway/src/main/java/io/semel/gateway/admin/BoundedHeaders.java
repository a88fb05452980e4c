// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/** Headers of no more lines than browsers and programs send: each takes many times the bytes that it came in. */
final class BoundedHeaders extends DefaultHttpHeaders {

    static final HttpHeadersFactory FACTORY = new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
            return new BoundedHeaders();
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return new BoundedHeaders();
        }
    };

    private static final int MOST = 100;

    private BoundedHeaders() {}

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        if (size() >= MOST) {
            throw new TooLongHttpHeaderException("There are more than " + MOST + " lines.");
        }
        return super.add(name, value);
    }
}
