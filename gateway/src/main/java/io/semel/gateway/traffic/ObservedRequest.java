// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.traffic;

import io.semel.Key;
import org.jspecify.annotations.Nullable;

/**
 * A keyed request that this gateway has seen, and its fate.
 *
 * @param path without its query, which may be confidential
 * @param request its id, of a trusted peer or made here
 * @param trace the W3C trace id that it came with; null where it has none
 * @param fence that it was to be sent to the service with; null where it was not
 * @param fate {@code forwarded}, {@code replayed}, {@code unprotected}, or the type of the problem that it was refused with
 */
public record ObservedRequest(
        Key key,
        String method,
        String path,
        String request,
        @Nullable String trace,
        @Nullable Long fence,
        String fate) {}
