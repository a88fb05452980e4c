// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.upstream;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** The upstream's side of one exchange: waits for a connection, sends a request on it and reads the response. */
public interface UpstreamExchange {

    /** The client that may not have all connections while others want some; null if that may be any. */
    @Nullable
    Object client();

    void connected(UpstreamConnection link);

    /** There is no connection, and nothing was sent. */
    void unreachable(Throwable cause);

    void head(HttpResponse head);

    /** The exchange releases it; after the last one, a {@link LastHttpContent}, the connection is not its own any more. */
    void content(HttpContent content);

    /** Nothing more has arrived for now: time to flush. */
    default void pausing() {}

    /** The upstream takes more of the request. */
    default void writable() {}

    /** The exchange is over without a whole response. */
    void failed(Throwable cause);
}
