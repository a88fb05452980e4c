// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Admission;
import io.semel.http.HttpIdempotency;
import io.semel.http.Streaming;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A WebFlux filter that lets a request with an idempotency key, or with a number in a session, happen once and answers its
 * retries, by the rules of an {@link HttpIdempotency}: the answer is held back, recorded, and only then sent. Immutable, each method
 * gives a changed copy.
 *
 * <p>Put it behind authentication. The store is asked on a scheduler for blocking work, never on an event loop. Where several
 * of them meet in one request, the first decides.
 */
public final class IdempotencyWebFilter implements WebFilter, InitializingBean {

    /** The attribute of the exchange under which a handler finds its {@link io.semel.Attempt}: fence, derived keys. */
    public static final String ATTEMPT = "io.semel.attempt";

    /**
     * The attribute of the exchange that says, with any value, that nobody knows whether the handler's effect landed, such as after a
     * commit that was cut: the key is left as a crash would leave it, whatever the handler has answered.
     */
    public static final String OUTCOME_UNKNOWN = "io.semel.outcome-unknown";

    /**
     * The attribute of the exchange that says, with any value, that the handler's effect has landed, such as where what follows a
     * commit fails: an answer by which the key would be free, or an error, leaves it as a crash would. Other answers are recorded.
     */
    public static final String CARRIED_OUT = "io.semel.carried-out";

    private static final String ENTERED = "io.semel.webflux.entered";

    private final HttpIdempotency door;
    private final ReactiveCallerResolver callers;
    private final FilterSettings settings;

    private IdempotencyWebFilter(HttpIdempotency door, ReactiveCallerResolver callers, FilterSettings settings) {
        this.door = door;
        this.callers = callers;
        this.settings = settings;
    }

    public static IdempotencyWebFilter on(HttpIdempotency door, ReactiveCallerResolver callers) {
        return new IdempotencyWebFilter(door, callers, FilterSettings.STANDARD);
    }

    /** The treatment of answers of the type text/event-stream; by default they are refused. */
    public IdempotencyWebFilter streaming(Streaming streaming) {
        return with(settings.streaming(streaming));
    }

    /** The most that a handler may write, 16 MiB by default: until it has ended, nothing is sent, and memory holds all of it. */
    public IdempotencyWebFilter largestAnswer(int bytes) {
        return with(settings.largestAnswer(bytes));
    }

    /**
     * The longest run of a handler, 10 minutes by default. Then it is cancelled, its client is told that the outcome is unknown, and a
     * retry meets the operation's policy for abandoned calls: a handler that never ends would hold its key for ever.
     */
    public IdempotencyWebFilter longestRun(Duration span) {
        return with(settings.longestRun(span));
    }

    /** The scheduler on which the store is asked; by default Reactor's for blocking work, and another one when a run ends. */
    public IdempotencyWebFilter asking(Scheduler blocking) {
        return with(settings.blocking(blocking));
    }

    /** Says in the log what becomes of calls whose holder fell silent; called by Spring, where the filter is a bean. */
    @Override
    public void afterPropertiesSet() {
        System.getLogger("io.semel.webflux")
                .log(System.Logger.Level.INFO, "Requests with an idempotency key are guarded: " + door + ".");
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (exchange.getAttributes().putIfAbsent(ENTERED, true) != null) {
            return chain.filter(exchange);
        }
        KeyedExchange passage = new KeyedExchange(exchange, chain, settings);
        Admission admission = withoutCaller(exchange);
        if (admission != null) {
            return passage.enter(admission);
        }
        return callers.of(exchange)
                .switchIfEmpty(Mono.error(() -> new IllegalStateException(
                        callers.getClass().getName() + " named no caller for a request with a key. Nothing was run.")))
                .flatMap(caller -> passage.enter(door.admit(new RequestAdapter(exchange.getRequest(), caller))));
    }

    /** Null where it depends on the caller, as it does for whatever is about sessions, even if only later. */
    private @Nullable Admission withoutCaller(ServerWebExchange exchange) {
        try {
            Admission admission = door.admit(new RequestAdapter(exchange.getRequest(), null));
            return admission instanceof Admission.ForSessions ? null : admission;
        } catch (RequestAdapter.Wanted wanted) {
            return null;
        }
    }

    private IdempotencyWebFilter with(FilterSettings other) {
        return new IdempotencyWebFilter(door, callers, other);
    }
}
