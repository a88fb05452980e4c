// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
import io.semel.Operation;
import io.semel.http.HttpDoor;
import io.semel.http.HttpRules;
import io.semel.http.KeyUse;
import io.semel.http.Streaming;
import io.semel.servlet.Callers;
import io.semel.servlet.IdempotencyFilter;
import java.lang.reflect.Method;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Makes the filters that requests go through: one for all, and others for handlers that say or need something else. */
final class Guards implements RouteCheck {

    private static final Logger LOG = LoggerFactory.getLogger(Guards.class);

    private final Engines engines;
    private final HttpRules rules;
    private final Callers callers;
    private final SemelHttpProperties settings;
    private final Spans spans;
    /** What surrounds filters with transactions; there only where the store is joined. */
    private final @Nullable TransactionRules joins;

    private final @Nullable Sessions sessions;
    private final Guard standard;
    private final ConcurrentMap<MethodClassKey, Guard> guards = new ConcurrentHashMap<>();

    /** The filter of a handler, and whether it takes part wherever it is. */
    record Guard(IdempotencyFilter filter, boolean marked) {}

    Guards(
            Engines engines,
            HttpRules rules,
            Callers callers,
            SemelHttpProperties settings,
            Spans spans,
            @Nullable TransactionRules joins,
            @Nullable Sessions sessions) {
        this.engines = engines;
        this.rules = rules;
        this.callers = callers;
        this.settings = settings;
        this.spans = spans;
        this.joins = joins;
        this.sessions = sessions;
        this.standard = new Guard(
                filter(spans.operation("http"), rules, settings.level(), new DefaultTransactionDefinition()), false);
    }

    Guard standard() {
        return standard;
    }

    /** Whether a request is for the guards themselves. */
    boolean takes(String uri) {
        return sessions != null && sessions.takes(uri);
    }

    boolean joins() {
        return engines.joins(settings.level());
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
        return marked == null ? new Guard(unmarked(method, type), false) : new Guard(marked(marked), true);
    }

    private IdempotencyFilter unmarked(Method method, Class<?> type) {
        if (settings.keys() == KeyUse.IGNORED) {
            return standard.filter();
        }
        if (isRefusedStream(method)) {
            return rejecting();
        }
        if (joins == null || !joins()) {
            return standard.filter();
        }
        if (!LaterHandlers.isLater(method)) {
            return joined(method, type, joins);
        }
        boolean refused = settings.level() == Level.JOINED || engines.leased() == null;
        return refused
                ? rejecting()
                : filter(spans.operation("http"), rules, Level.LEASED, new DefaultTransactionDefinition());
    }

    /** Nobody has said that this handler takes keys, so it is no reason not to start: but none is taken. */
    private IdempotencyFilter joined(Method method, Class<?> type, TransactionRules rules) {
        TransactionDefinition around;
        try {
            around = rules.around(method, type);
        } catch (Misuse e) {
            LOG.error(
                    "Requests with a key are refused: {} Mark the handler with @Idempotent(level = LEASED) then.",
                    e.getMessage());
            return rejecting();
        }
        return filter(spans.operation("http"), this.rules, settings.level(), around);
    }

    private boolean isRefusedStream(Method method) {
        return settings.streaming() == Streaming.REFUSE && LaterHandlers.isEvents(method);
    }

    /** Says so before anything runs, and not when the handler comes to what cannot be. */
    private IdempotencyFilter rejecting() {
        return IdempotencyFilter.on(HttpDoor.on(engines.standard(), rules.keys(KeyUse.REJECTED)), callers);
    }

    private IdempotencyFilter marked(RouteMark route) {
        route.check();
        if (isRefusedStream(route.method())) {
            throw route.refusedStream();
        }
        Level level = route.level() == null ? settings.level() : route.level();
        Operation operation = spans.operation(route.method(), route.mark(), route.name(spans));
        HttpRules required = rules.keys(KeyUse.REQUIRED).methods(route.methods());
        if (joins == null || !engines.joins(level)) {
            return filter(operation, required, level, new DefaultTransactionDefinition());
        }
        if (LaterHandlers.isLater(route.method())) {
            throw new Misuse(
                    Methods.name(route.method()) + " answers later, when the transaction of its record has ended.",
                    "Demand level = LEASED, or return the answer itself.");
        }
        return filter(operation, required, level, joins.definition(route.method(), route.type()));
    }

    private IdempotencyFilter filter(
            Operation operation, HttpRules its, @Nullable Level level, TransactionDefinition definition) {
        HttpDoor keys = HttpDoor.on(engines.forRequests(operation, level), its);
        HttpDoor door = sessions == null ? keys : keys.sessions(sessions.of(engines.joins(level)));
        IdempotencyFilter plain = IdempotencyFilter.on(door, callers)
                .streaming(settings.streaming())
                .inMemory(Math.toIntExact(settings.inMemory().toBytes()));
        if (settings.largestAnswer() != null) {
            plain = plain.largestAnswer(settings.largestAnswer().toBytes());
        }
        return joins != null && engines.joins(level)
                ? plain.around(new RequestTransactions(joins.manager(), required(definition), engines.looksFirst()))
                : plain;
    }

    /** The filter is the first, so there is nothing to join. */
    private static TransactionDefinition required(TransactionDefinition definition) {
        DefaultTransactionDefinition required = new DefaultTransactionDefinition(definition);
        required.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRED);
        return required;
    }

    String says() {
        Level level = engines.joins(settings.level()) || engines.leased() == null
                ? engines.standard().level()
                : engines.leased().level();
        return "Semel guards HTTP requests with an idempotency key under " + String.join(", ", settings.paths())
                + ". Level " + level + ": "
                + (engines.joins(settings.level())
                        ? "the answer commits in the transaction of its handler, before the first byte is sent."
                        : "the answer is recorded when its handler has ended, before the first byte is sent."
                                + spans.saysAbandoned());
    }
}
