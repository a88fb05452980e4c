// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import io.semel.Key;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request in the access log; see {@code docs/gateway.md}.
 *
 * @param at when its head had come
 * @param request its id, of a trusted peer or made here
 * @param trace the W3C trace id that it came with
 * @param client the address that it came from
 * @param path without its query
 * @param route null where none was chosen
 * @param caller the scope of its key, which is whose key it is and never a credential
 * @param outcome one word
 * @param code the type of the problem that it was refused with
 * @param status zero where nothing was answered
 * @param bytes of the body that was sent to the client
 * @param time from its head to the end of its answer
 * @param service the part of that time in which the service had it
 * @param cut whether the client did not get all of the answer
 */
public record AccessLine(
        Instant at,
        String request,
        @Nullable String trace,
        String client,
        String method,
        String path,
        @Nullable String route,
        @Nullable String caller,
        @Nullable Key key,
        String outcome,
        @Nullable String code,
        @Nullable Long fence,
        int status,
        long bytes,
        Duration time,
        @Nullable Duration service,
        boolean cut) {

    /** Of an object with its fields, beside the characters that a client decides on. */
    private static final int FIELDS = 400;

    /** About how many bytes it takes while it waits to be written. */
    int cost() {
        return FIELDS
                + length(request)
                + length(trace)
                + length(method)
                + length(path)
                + length(caller)
                + (key == null ? 0 : length(key.id()) + length(key.scope()));
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
