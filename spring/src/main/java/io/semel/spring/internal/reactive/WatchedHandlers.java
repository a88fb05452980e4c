// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.reactive;

import io.semel.Attempt;
import io.semel.spring.internal.transaction.CommitWatch;
import io.semel.webflux.IdempotencyWebFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * The adapter of annotated handlers that sees what they throw before an exception handler of the application makes an answer of it:
 * a commit in doubt must not free the key because somebody answers 503.
 */
public final class WatchedHandlers implements HandlerAdapter, Ordered {

    private final ObjectProvider<RequestMappingHandlerAdapter> adapters;

    public WatchedHandlers(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
        this.adapters = adapters;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return adapters.orderedStream().anyMatch(adapter -> adapter.supports(handler));
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        RequestMappingHandlerAdapter adapter = adapters.orderedStream()
                .filter(each -> each.supports(handler))
                .findFirst()
                .orElseThrow();
        return exchange.getAttribute(IdempotencyWebFilter.ATTEMPT) instanceof Attempt
                ? watched(exchange, adapter, handler)
                : adapter.handle(exchange, handler);
    }

    /** A handler that blocks is followed as long as it stays in the thread in which it was begun. */
    private static Mono<HandlerResult> watched(
            ServerWebExchange exchange, RequestMappingHandlerAdapter adapter, Object handler) {
        return Mono.from(subscriber -> {
            CommitWatch watch = CommitWatch.enter();
            try {
                adapter.handle(exchange, handler)
                        .doOnNext(WatchedHandlers::watchThrown)
                        .doOnTerminate(() -> note(exchange, watch))
                        .subscribe(subscriber);
            } finally {
                watch.leave();
            }
        });
    }

    private static void watchThrown(HandlerResult result) {
        DispatchExceptionHandler application = result.getExceptionHandler();
        if (application != null) {
            result.setExceptionHandler((exchange, thrown) -> {
                RoutingWebFilter.note(exchange, thrown);
                return application.handleError(exchange, thrown);
            });
        }
    }

    private static void note(ServerWebExchange exchange, CommitWatch watch) {
        if (watch.isInDoubt()) {
            exchange.getAttributes().put(IdempotencyWebFilter.OUTCOME_UNKNOWN, true);
        } else if (watch.failedAfterCommit()) {
            exchange.getAttributes().put(IdempotencyWebFilter.CARRIED_OUT, true);
        }
    }
}
