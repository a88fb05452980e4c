// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Caller;
import io.semel.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** A request as the rules see it; whose it is may not be known yet. */
record RequestAdapter(ServerHttpRequest request, @Nullable Caller known) implements Request {

    @Override
    public String method() {
        return request.getMethod().name();
    }

    @Override
    public String path() {
        return request.getURI().getRawPath();
    }

    @Override
    public @Nullable String query() {
        return request.getURI().getRawQuery();
    }

    @Override
    public List<String> headers(String name) {
        return Fields.values(request.getHeaders(), name);
    }

    @Override
    public Caller caller() {
        if (known == null) {
            throw new Wanted();
        }
        return known;
    }

    /** Says that the rules have come to the caller, who cannot be waited for there. */
    static final class Wanted extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Wanted() {
            super("The caller is to be asked for.", null, false, false);
        }
    }
}
