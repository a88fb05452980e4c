// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One way to identify the caller of a request. */
interface CallerSource {

    /**
     * The parts of the caller's name that come from here; empty if the request shows nothing of the kind.
     *
     * @throws CallerRefused if it shows something that is not good
     */
    List<String> parts(HttpHeaders headers, Channel connection);

    /** Whether it may have to ask another service. */
    default boolean blocks() {
        return false;
    }

    /**
     * As {@link #parts}, but without asking another service; null if one would have to be asked.
     *
     * @throws CallerRefused if it shows something that is not good
     */
    default @Nullable List<String> known(HttpHeaders headers, Channel connection) {
        return blocks() ? null : parts(headers, connection);
    }
}
