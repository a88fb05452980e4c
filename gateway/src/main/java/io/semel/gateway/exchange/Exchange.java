// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.handler.codec.http.HttpContent;
import io.semel.gateway.http.Refusal;

/** The handling of one request's body on the way to its response. */
interface Exchange {

    /** Takes a part of the body, and releases it; the last is a {@link io.netty.handler.codec.http.LastHttpContent}. */
    void body(HttpContent content);

    /** The client takes more of the response. */
    default void clientWritable() {}

    /** Why it is refused if its body takes too long. */
    default Refusal tooSlow() {
        return Refusal.TOO_SLOW;
    }

    /** The client is gone. */
    default void clientGone() {}
}
