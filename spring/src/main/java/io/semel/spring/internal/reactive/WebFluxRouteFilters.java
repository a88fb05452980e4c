// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.reactive;

import io.semel.Engine;
import io.semel.Level;
import io.semel.Operation;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.http.KeyUse;
import io.semel.http.Streaming;
import io.semel.spring.SemelHttpProperties;
import io.semel.spring.internal.http.ApplicationSessions;
import io.semel.spring.internal.http.IdempotentRoute;
import io.semel.spring.internal.http.RouteFilter;
import io.semel.spring.internal.http.RouteFilterFactory;
import io.semel.spring.internal.method.OperationSettings;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.spring.internal.store.Engines;
import io.semel.webflux.IdempotencyWebFilter;
import io.semel.webflux.ReactiveCallerResolver;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** The maker of reactive filters: one for all routes, and others for marked handlers. */
public final class WebFluxRouteFilters implements RouteFilterFactory<IdempotencyWebFilter> {

    private final Engines engines;
    private final HttpRules rules;
    private final ReactiveCallerResolver callers;
    private final SemelHttpProperties settings;
    private final OperationSettings operations;
    private final @Nullable ApplicationSessions sessions;
    private final IdempotencyWebFilter standard;

    public WebFluxRouteFilters(
            Engines engines,
            HttpRules rules,
            ReactiveCallerResolver callers,
            SemelHttpProperties settings,
            OperationSettings operations,
            @Nullable ApplicationSessions sessions) {
        this.engines = engines;
        this.rules = rules;
        this.callers = callers;
        this.settings = settings;
        this.operations = operations;
        this.sessions = sessions;
        this.standard = filter(operations.operation("http"), rules, settings.level());
    }

    @Override
    public IdempotencyWebFilter standard() {
        return standard;
    }

    @Override
    public RouteFilter<IdempotencyWebFilter> create(Method method, Class<?> type) {
        IdempotentRoute route = IdempotentRoute.of(method, type);
        boolean refused = settings.streaming() == Streaming.REFUSE && IdempotentRoute.producesEvents(method);
        if (route != null) {
            return RouteFilter.marked(marked(route, refused));
        }
        return RouteFilter.unmarked(
                refused && settings.keys() != KeyUse.IGNORED
                        ? filter(operations.operation("http"), rules.keys(KeyUse.REJECTED), settings.level())
                        : standard);
    }

    private IdempotencyWebFilter marked(IdempotentRoute route, boolean refused) {
        route.check();
        if (refused) {
            throw route.refusedStream();
        }
        return filter(
                operations.operation(route.method(), route.mark(), route.name(operations)),
                rules.keys(KeyUse.REQUIRED).methods(route.methods()),
                route.level() == null ? settings.level() : route.level());
    }

    private IdempotencyWebFilter filter(Operation operation, HttpRules its, @Nullable Level level) {
        HttpIdempotency keys = HttpIdempotency.on(engine(operation, level), its);
        HttpIdempotency door = sessions == null ? keys : keys.sessions(sessions.of(false));
        IdempotencyWebFilter plain = IdempotencyWebFilter.on(door, callers).streaming(settings.streaming());
        return settings.largestAnswer() == null
                ? plain
                : plain.largestAnswer(Math.toIntExact(settings.largestAnswer().toBytes()));
    }

    /** Where the store is joined, that on the same table which is not. */
    private Engine engine(Operation operation, @Nullable Level level) {
        if (!engines.joins(level)) {
            return engines.forRequests(operation, level);
        }
        if (level == Level.JOINED || engines.leased() == null) {
            throw new InvalidSetup(
                    "HTTP requests: JOINED is not available in reactive applications, whose handlers answer outside of"
                            + " a thread's transaction.",
                    "Demand LEASED by semel.http.level or @Idempotent, with a store that supports it; or use Spring"
                            + " MVC.");
        }
        return engines.forRequests(operation, Level.LEASED);
    }

    public String describe() {
        return "Semel guards HTTP requests with an idempotency key under " + String.join(", ", settings.paths())
                + ". Level "
                + engine(operations.operation("http"), settings.level()).level()
                + ": the answer is recorded after its handler has ended, before the first byte is sent."
                + operations.describeAbandoned();
    }
}
