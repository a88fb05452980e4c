// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;

/** Says whose keys come with a request, as authentication has established it; asked only if there is a key. */
@FunctionalInterface
public interface CallerResolver {

    Caller of(HttpServletRequest request);

    /** The container's user principal; a request with a key and without a principal is an error, not anonymous. */
    static CallerResolver byPrincipal() {
        return request -> {
            Principal principal = request.getUserPrincipal();
            if (principal == null) {
                throw new IllegalStateException("A request with a key has no principal. Put authentication in front of"
                        + " the idempotency filter, or say CallerResolver.byPrincipalOrAnonymous() if callers without a name"
                        + " may share one space of keys.");
            }
            return Caller.of(principal.getName());
        };
    }

    /** The container's user principal, or {@link Caller#anonymous} where there is none. */
    static CallerResolver byPrincipalOrAnonymous() {
        return request -> {
            Principal principal = request.getUserPrincipal();
            return principal == null ? Caller.anonymous() : Caller.of(principal.getName());
        };
    }
}
