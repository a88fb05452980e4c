// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.util.List;
import java.util.Set;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sends each request of a reactive application through the filter that its handler or its path asks for. */
final class GuardWebFilter implements WebFilter, Ordered {

    private static final Set<String> OUTSIDE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");

    private final WebFluxGuards guards;
    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private final List<PathPattern> paths;
    private final int order;

    GuardWebFilter(
            WebFluxGuards guards,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            List<String> paths,
            int order) {
        this.guards = guards;
        this.mappings = mappings;
        this.paths =
                paths.stream().map(PathPatternParser.defaultInstance::parse).toList();
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (OUTSIDE.contains(exchange.getRequest().getMethod().name())) {
            return chain.filter(exchange);
        }
        if (guards.takes(exchange.getRequest().getURI().getRawPath())) {
            return guards.standard().filter().filter(exchange, chain);
        }
        return handler(exchange)
                .map(handler -> guards.of(handler.getMethod(), handler.getBeanType()))
                .defaultIfEmpty(guards.standard())
                .flatMap(guard -> guard.marked() || isCovered(exchange)
                        ? guard.filter().filter(exchange, chain)
                        : chain.filter(exchange));
    }

    /** By WebFlux's own mappings; nothing where there is none, or none for this method or media type: then WebFlux says so. */
    private Mono<HandlerMethod> handler(ServerWebExchange exchange) {
        return Flux.fromStream(mappings::orderedStream)
                .concatMap(mapping -> mapping.getHandler(exchange))
                .onErrorResume(failure -> {
                    LoggerFactory.getLogger(GuardWebFilter.class)
                            .debug("A request has no handler; WebFlux will say why.", failure);
                    return Mono.empty();
                })
                .ofType(HandlerMethod.class)
                .next();
    }

    private boolean isCovered(ServerWebExchange exchange) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        return paths.stream().anyMatch(pattern -> pattern.matches(path));
    }
}
