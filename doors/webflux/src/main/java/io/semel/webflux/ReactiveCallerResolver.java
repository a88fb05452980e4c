// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Caller;
import java.security.Principal;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Says whose keys come with a request, as authentication has established it; asked only if there is a key. */
@FunctionalInterface
public interface ReactiveCallerResolver {

    Mono<Caller> of(ServerWebExchange exchange);

    /** The exchange's principal; a request with a key and without a principal is an error, not anonymous. */
    static ReactiveCallerResolver byPrincipal() {
        return exchange -> named(exchange)
                .switchIfEmpty(Mono.error(() -> new IllegalStateException(
                        "A request with a key has no principal. Put authentication in front of the idempotency filter,"
                                + " or say ReactiveCallerResolver.byPrincipalOrAnonymous() if callers without a name may share one space"
                                + " of keys. Nothing was run.")));
    }

    /** The exchange's principal, or {@link Caller#anonymous} where there is none. */
    static ReactiveCallerResolver byPrincipalOrAnonymous() {
        return exchange -> named(exchange).defaultIfEmpty(Caller.anonymous());
    }

    private static Mono<Caller> named(ServerWebExchange exchange) {
        return exchange.getPrincipal().map(Principal::getName).map(Caller::of);
    }
}
