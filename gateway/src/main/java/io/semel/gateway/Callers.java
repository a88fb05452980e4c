// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.semel.http.Caller;

/** Finds out whose keys a request's keys are. */
interface Callers {

    /**
     * Says who asks.
     *
     * @throws Unauthenticated if the request shows a credential that is not good
     */
    Caller of(HttpHeaders headers, Channel channel);

    /** Whether finding out may take its time, so that it must not be asked in an event loop. */
    default boolean blocks() {
        return false;
    }

    /** A credential that is not good; it has no stack trace, because clients decide how often it happens. */
    final class Unauthenticated extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Unauthenticated(String why) {
            super(why, null, false, false);
        }
    }
}
