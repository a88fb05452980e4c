// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.http.Caller;
import io.semel.servlet.Callers;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Callers by their principal, and by a header for their tenant. */
record Principals(boolean anonymous, @Nullable String tenantHeader) implements Callers {

    @Override
    public Caller of(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        if (principal == null && !anonymous) {
            throw new IllegalStateException("A request with an idempotency key has no principal. Have it authenticated"
                    + " in front of Semel's filter, or set semel.http.anonymous=true if all callers without a name may"
                    + " share their keys. Nothing was run.");
        }
        return new Caller(tenant(request), principal == null ? null : principal.getName());
    }

    private @Nullable String tenant(HttpServletRequest request) {
        String tenant =
                tenantHeader == null ? "" : String.join(", ", Collections.list(request.getHeaders(tenantHeader)));
        return StringUtils.hasText(tenant) ? tenant : null;
    }
}
