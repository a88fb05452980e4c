// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the bearer token of a request. */
final class BearerToken {

    private static final String SCHEME = "bearer ";

    private BearerToken() {}

    /**
     * Null if the request has no Authorization header.
     *
     * @throws CallerRefused if it has another one, or more than one
     */
    static @Nullable String token(HttpHeaders headers) {
        List<String> lines = headers.getAll(HttpHeaderNames.AUTHORIZATION);
        if (lines.isEmpty()) {
            return null;
        }
        String line = lines.get(0);
        String token = line.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? line.substring(SCHEME.length()).strip()
                : "";
        if (lines.size() > 1 || token.isEmpty()) {
            throw CallerRefused.unauthenticated("The Authorization header has no bearer token.");
        }
        return token;
    }
}
