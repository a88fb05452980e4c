// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.traffic;

import io.semel.Key;
import org.jspecify.annotations.Nullable;

/**
 * The end of a keyed request, in the words of the access log.
 *
 * @param request its id, as in {@link ObservedRequest}
 * @param status zero where nothing was answered
 * @param outcome one word
 * @param code the type of the problem that it was refused with
 */
public record CompletedRequest(
        Key key,
        String request,
        int status,
        String outcome,
        @Nullable String code) {}
