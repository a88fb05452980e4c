// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import io.semel.Level;
import io.semel.Operation;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.http.KeyUse;
import io.semel.http.Streaming;
import io.semel.servlet.CallerResolver;
import io.semel.servlet.IdempotencyFilter;
import io.semel.spring.SemelHttpProperties;
import io.semel.spring.internal.http.ApplicationSessions;
import io.semel.spring.internal.http.IdempotentRoute;
import io.semel.spring.internal.http.RouteFilter;
import io.semel.spring.internal.http.RouteFilterFactory;
import io.semel.spring.internal.method.IdempotentMethods;
import io.semel.spring.internal.method.OperationSettings;
import io.semel.spring.internal.method.TransactionRules;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.spring.internal.store.Engines;
import io.semel.spring.internal.transaction.JoinedTransactions;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** The maker of servlet filters: one for all routes, and others for handlers that demand or need something else. */
public final class RouteFilters implements RouteFilterFactory<IdempotencyFilter> {

    private static final Logger LOG = LoggerFactory.getLogger(RouteFilters.class);

    private final Engines engines;
    private final HttpRules rules;
    private final CallerResolver callers;
    private final SemelHttpProperties settings;
    private final OperationSettings operations;
    /** Null where the store joins no transactions. */
    private final @Nullable TransactionRules transactions;

    private final @Nullable ApplicationSessions sessions;
    private final IdempotencyFilter standard;

    public RouteFilters(
            Engines engines,
            HttpRules rules,
            CallerResolver callers,
            SemelHttpProperties settings,
            OperationSettings operations,
            @Nullable TransactionRules transactions,
            @Nullable ApplicationSessions sessions) {
        this.engines = engines;
        this.rules = rules;
        this.callers = callers;
        this.settings = settings;
        this.operations = operations;
        this.transactions = transactions;
        this.sessions = sessions;
        this.standard =
                filter(operations.operation("http"), rules, settings.level(), new DefaultTransactionDefinition());
    }

    @Override
    public IdempotencyFilter standard() {
        return standard;
    }

    private boolean joins() {
        return engines.joins(settings.level());
    }

    @Override
    public RouteFilter<IdempotencyFilter> create(Method method, Class<?> type) {
        IdempotentRoute route = IdempotentRoute.of(method, type);
        return route == null ? RouteFilter.unmarked(unmarked(method, type)) : RouteFilter.marked(marked(route));
    }

    private IdempotencyFilter unmarked(Method method, Class<?> type) {
        if (settings.keys() == KeyUse.IGNORED) {
            return standard;
        }
        if (isRefusedStream(method)) {
            return rejecting();
        }
        if (transactions == null || !joins()) {
            return standard;
        }
        if (!AsyncHandlers.isLater(method)) {
            return joined(method, type, transactions);
        }
        boolean refused = settings.level() == Level.JOINED || engines.leased() == null;
        return refused
                ? rejecting()
                : filter(operations.operation("http"), rules, Level.LEASED, new DefaultTransactionDefinition());
    }

    /** The handler is not marked, so the application starts; but the handler takes no keys. */
    private IdempotencyFilter joined(Method method, Class<?> type, TransactionRules rules) {
        TransactionDefinition around;
        try {
            around = rules.around(method, type);
        } catch (InvalidSetup e) {
            LOG.error(
                    "Requests with an idempotency key are refused: {} To accept them, mark the handler with"
                            + " @Idempotent(level = LEASED).",
                    e.getMessage());
            return rejecting();
        }
        return filter(operations.operation("http"), this.rules, settings.level(), around);
    }

    private boolean isRefusedStream(Method method) {
        return settings.streaming() == Streaming.REFUSE && AsyncHandlers.isEvents(method);
    }

    /** Refuses keys before anything runs, rather than when the handler begins what cannot be recorded. */
    private IdempotencyFilter rejecting() {
        return IdempotencyFilter.on(HttpIdempotency.on(engines.standard(), rules.keys(KeyUse.REJECTED)), callers);
    }

    private IdempotencyFilter marked(IdempotentRoute route) {
        route.check();
        if (isRefusedStream(route.method())) {
            throw route.refusedStream();
        }
        Level level = route.level() == null ? settings.level() : route.level();
        Operation operation = operations.operation(route.method(), route.mark(), route.name(operations));
        HttpRules required = rules.keys(KeyUse.REQUIRED).methods(route.methods());
        if (transactions == null || !engines.joins(level)) {
            return filter(operation, required, level, new DefaultTransactionDefinition());
        }
        if (AsyncHandlers.isLater(route.method())) {
            throw new InvalidSetup(
                    IdempotentMethods.name(route.method())
                            + " answers asynchronously, after the transaction of its record has ended.",
                    "Demand level = LEASED, or return the answer itself.");
        }
        return filter(operation, required, level, transactions.definition(route.method(), route.type()));
    }

    private IdempotencyFilter filter(
            Operation operation, HttpRules its, @Nullable Level level, TransactionDefinition definition) {
        HttpIdempotency keys = HttpIdempotency.on(engines.forRequests(operation, level), its);
        HttpIdempotency door = sessions == null ? keys : keys.sessions(sessions.of(engines.joins(level)));
        IdempotencyFilter plain = IdempotencyFilter.on(door, callers)
                .streaming(settings.streaming())
                .inMemory(Math.toIntExact(settings.inMemory().toBytes()));
        if (settings.largestAnswer() != null) {
            plain = plain.largestAnswer(settings.largestAnswer().toBytes());
        }
        return transactions != null && engines.joins(level)
                ? plain.around(new RequestTransactions(
                        new JoinedTransactions(transactions.manager(), required(definition)), engines.looksFirst()))
                : plain;
    }

    /** The filter is the first, so there is no transaction to join. */
    private static TransactionDefinition required(TransactionDefinition definition) {
        DefaultTransactionDefinition required = new DefaultTransactionDefinition(definition);
        required.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRED);
        return required;
    }

    public String describe() {
        Level level = engines.joins(settings.level()) || engines.leased() == null
                ? engines.standard().level()
                : engines.leased().level();
        return "Semel guards HTTP requests with an idempotency key under " + String.join(", ", settings.paths())
                + ". Level " + level + ": "
                + (engines.joins(settings.level())
                        ? "the answer commits in its handler's transaction, before the first byte is sent."
                        : "the answer is recorded after its handler has ended, before the first byte is sent."
                                + operations.describeAbandoned());
    }
}
