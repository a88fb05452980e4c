// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.handler.codec.http.HttpContent;

/** One request on its way to an answer. */
interface Exchange {

    /** Takes a part of the body, and releases it; the last is a {@link io.netty.handler.codec.http.LastHttpContent}. */
    void body(HttpContent content);

    /** The client takes more of the answer. */
    default void clientWritable() {}

    /** The client is not there any more. */
    default void clientGone() {}
}
