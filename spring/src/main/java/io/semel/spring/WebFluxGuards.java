// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Engine;
import io.semel.Level;
import io.semel.Operation;
import io.semel.http.HttpDoor;
import io.semel.http.HttpRules;
import io.semel.http.KeyUse;
import io.semel.http.Streaming;
import io.semel.webflux.Callers;
import io.semel.webflux.IdempotencyWebFilter;
import java.lang.reflect.Method;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;

/** Makes the filters that requests of a reactive application go through: one for all, and others for marked handlers. */
final class WebFluxGuards implements RouteCheck {

    private final Engines engines;
    private final HttpRules rules;
    private final Callers callers;
    private final SemelHttpProperties settings;
    private final Spans spans;
    private final @Nullable Sessions sessions;
    private final Guard standard;
    private final ConcurrentMap<MethodClassKey, Guard> guards = new ConcurrentHashMap<>();

    /** The filter of a handler, and whether it takes part wherever it is. */
    record Guard(IdempotencyWebFilter filter, boolean marked) {}

    WebFluxGuards(
            Engines engines,
            HttpRules rules,
            Callers callers,
            SemelHttpProperties settings,
            Spans spans,
            @Nullable Sessions sessions) {
        this.engines = engines;
        this.rules = rules;
        this.callers = callers;
        this.settings = settings;
        this.spans = spans;
        this.sessions = sessions;
        this.standard = new Guard(filter(spans.operation("http"), rules, settings.level()), false);
    }

    Guard standard() {
        return standard;
    }

    /** Whether a request is for the guards themselves. */
    boolean takes(String uri) {
        return sessions != null && sessions.takes(uri);
    }

    Guard of(Method method, Class<?> type) {
        MethodClassKey key = new MethodClassKey(method, type);
        Guard known = guards.get(key);
        if (known == null) {
            known = make(method, type);
            guards.put(key, known);
        }
        return known;
    }

    @Override
    public void check(Method method, Class<?> type) {
        of(method, type);
    }

    private Guard make(Method method, Class<?> type) {
        RouteMark marked = RouteMark.of(method, type);
        boolean refused = settings.streaming() == Streaming.REFUSE && RouteMark.saysEvents(method);
        if (marked != null) {
            return new Guard(marked(marked, refused), true);
        }
        return refused && settings.keys() != KeyUse.IGNORED
                ? new Guard(filter(spans.operation("http"), rules.keys(KeyUse.REJECTED), settings.level()), false)
                : standard;
    }

    private IdempotencyWebFilter marked(RouteMark route, boolean refused) {
        route.check();
        if (refused) {
            throw route.refusedStream();
        }
        return filter(
                spans.operation(route.method(), route.mark(), route.name(spans)),
                rules.keys(KeyUse.REQUIRED).methods(route.methods()),
                route.level() == null ? settings.level() : route.level());
    }

    private IdempotencyWebFilter filter(Operation operation, HttpRules its, @Nullable Level level) {
        HttpDoor keys = HttpDoor.on(engine(operation, level), its);
        HttpDoor door = sessions == null ? keys : keys.sessions(sessions.of(false));
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
            throw new Misuse(
                    "HTTP requests: JOINED cannot be had in a reactive application, whose handlers answer when no"
                            + " transaction of a thread is left.",
                    "Demand LEASED by semel.http.level or @Idempotent, with a store that gives it; or use Spring MVC.");
        }
        return engines.forRequests(operation, Level.LEASED);
    }

    String says() {
        return "Semel guards HTTP requests with an idempotency key under " + String.join(", ", settings.paths())
                + ". Level " + engine(spans.operation("http"), settings.level()).level()
                + ": the answer is recorded when its handler has ended, before the first byte is sent."
                + spans.saysAbandoned();
    }
}
