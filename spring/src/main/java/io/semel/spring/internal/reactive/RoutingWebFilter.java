// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.reactive;

import io.semel.spring.internal.http.RouteRegistry;
import io.semel.spring.internal.transaction.CommitFailures;
import io.semel.webflux.IdempotencyWebFilter;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The filter that sends each request of a reactive application through the idempotency filter of its route. */
public final class RoutingWebFilter implements WebFilter, Ordered {

    private final RouteRegistry<IdempotencyWebFilter> routes;
    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private final int order;

    public RoutingWebFilter(
            RouteRegistry<IdempotencyWebFilter> routes,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            int order) {
        this.routes = routes;
        this.mappings = mappings;
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (RouteRegistry.isWithoutEffect(exchange.getRequest().getMethod().name())) {
            return chain.filter(exchange);
        }
        if (routes.isForSessions(exchange.getRequest().getURI().getRawPath())) {
            return routes.standard().filter().filter(exchange, chain);
        }
        return handler(exchange)
                .map(handler -> routes.of(handler.getMethod(), handler.getBeanType()))
                .defaultIfEmpty(routes.standard())
                .flatMap(route -> route.marked() || isCovered(exchange)
                        ? route.filter().filter(exchange, given -> within(given, chain))
                        : chain.filter(exchange));
    }

    private static Mono<Void> within(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.defer(() -> chain.filter(exchange)).doOnError(thrown -> note(exchange, thrown));
    }

    /** No watch follows a transaction from thread to thread, so what has failed tells whether it may have been its commit. */
    static void note(ServerWebExchange exchange, Throwable thrown) {
        if (CommitFailures.mayBeOne(thrown)) {
            exchange.getAttributes().put(IdempotencyWebFilter.OUTCOME_UNKNOWN, true);
        }
    }

    /** By WebFlux's own mappings; nothing where there is none, or none for this method or media type: then WebFlux says so. */
    private Mono<HandlerMethod> handler(ServerWebExchange exchange) {
        return Flux.fromStream(mappings::orderedStream)
                .concatMap(mapping -> mapping.getHandler(exchange))
                .onErrorResume(failure -> {
                    LoggerFactory.getLogger(RoutingWebFilter.class)
                            .debug("A request has no handler; WebFlux will say why.", failure);
                    return Mono.empty();
                })
                .ofType(HandlerMethod.class)
                .next();
    }

    private boolean isCovered(ServerWebExchange exchange) {
        return routes.covers(exchange.getRequest().getPath().pathWithinApplication());
    }
}
