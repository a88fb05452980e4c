// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodClassKey;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.json.JsonMapper;

/** Makes a plan of each marked method, once, and refuses those that could not be kept. */
final class Plans {

    private final Engines engines;
    private final Spans spans;
    private final Expressions expressions;
    private final Prints prints;
    private final Answers answers;
    private final TransactionRules transactions;
    private final Executor threads = new SimpleAsyncTaskExecutor("semel-settle-");
    private final ConcurrentMap<MethodClassKey, Plan> plans = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, MethodClassKey> operations = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, String> policies = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Codec<Optional<Object>>> codecs = new ConcurrentHashMap<>();

    Plans(Engines engines, SemelProperties settings, JsonMapper mapper, ConfigurableListableBeanFactory beans) {
        this.engines = engines;
        this.spans = new Spans(settings, text -> String.valueOf(beans.resolveEmbeddedValue(text)));
        this.expressions = new Expressions(beans);
        this.prints = new Prints(mapper);
        this.answers = new Answers(mapper);
        this.transactions = new TransactionRules(beans);
    }

    Plan of(Method method, Class<?> type) {
        Plan known = plans.get(new MethodClassKey(method, type));
        return known != null ? known : ofSpecific(method, type);
    }

    /** A call may name the method of an interface or a bridge; there is one plan for all of them. */
    private Plan ofSpecific(Method method, Class<?> type) {
        Method specific = BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(method, type));
        Plan plan = plans.get(new MethodClassKey(specific, type));
        if (plan == null) {
            plan = make(specific, type);
            Plan other = plans.putIfAbsent(new MethodClassKey(specific, type), plan);
            plan = other == null ? plan : other;
        }
        plans.putIfAbsent(new MethodClassKey(method, type), plan);
        return plan;
    }

    private Plan make(Method method, Class<?> type) {
        Idempotent mark = Methods.markOf(method);
        String name = name(method, type, mark);
        Level level = level(method, mark);
        Returned returned = new Returned(method, type);
        RecordedExceptions recorded = RecordedExceptions.of(method, mark);
        Operation operation = spans.operation(method, mark, name);
        Codec<Optional<Object>> codec = returned.codec(answers);
        policies.put(name, policy(mark, level));
        codecs.put(name, codec);
        return new Plan(
                engine(method, operation, level),
                codec,
                Keys.of(method, mark, name, expressions),
                printing(method, mark),
                recorded,
                way(method, type, level, recorded, returned),
                reconciling(method, type, mark, level, returned));
    }

    private String policy(Idempotent mark, @Nullable Level level) {
        if (engines.joins(level)) {
            return "never left behind (JOINED)";
        }
        if (!mark.reconcile().isEmpty()) {
            return "reconciled";
        }
        return spans.abandoned(mark) == Abandoned.RERUN
                ? "run again"
                : "refused as UNKNOWN until somebody resolves them";
    }

    /** How the marked method whose keys have this scope stores its answers; empty where there is none. */
    Optional<Codec<Optional<Object>>> codec(String scope) {
        Codec<Optional<Object>> exact = codecs.get(scope);
        return exact != null
                ? Optional.of(exact)
                : codecs.entrySet().stream()
                        .filter(each -> scope.startsWith(Key.scope(each.getKey()) + "/"))
                        .map(Map.Entry::getValue)
                        .findFirst();
    }

    /** What becomes of abandoned calls, for the log; empty where nothing is marked. */
    Optional<String> says() {
        Map<String, List<String>> operations = new TreeMap<>();
        new TreeMap<>(policies)
                .forEach((name, policy) -> operations
                        .computeIfAbsent(policy, it -> new ArrayList<>())
                        .add(name));
        return operations.isEmpty()
                ? Optional.empty()
                : Optional.of("Semel: abandoned calls are "
                        + operations.entrySet().stream()
                                .map(each -> each.getKey() + ": " + String.join(", ", each.getValue()))
                                .collect(Collectors.joining("; "))
                        + ".");
    }

    private String name(Method method, Class<?> type, Idempotent mark) {
        String name = mark.operation().isEmpty()
                ? type.getName() + "." + method.getName()
                : spans.placeholders().apply(mark.operation());
        MethodClassKey self = new MethodClassKey(method, type);
        MethodClassKey other = operations.putIfAbsent(name, self);
        if (other != null && !other.equals(self)) {
            throw new Misuse(
                    "Two methods are the operation '" + name + "', so that they would share keys: " + other + " and "
                            + self + ".",
                    "Give each @Idempotent an operation = \"…\" of its own.");
        }
        return name;
    }

    private static @Nullable Level level(Method method, Idempotent mark) {
        if (mark.level().length > 1) {
            throw new Misuse(Methods.name(method) + " demands several levels.", "Demand the highest of them.");
        }
        return mark.level().length == 0 ? null : mark.level()[0];
    }

    private Engine engine(Method method, Operation operation, @Nullable Level level) {
        try {
            return engines.engine(operation, level);
        } catch (IllegalArgumentException e) {
            throw new Misuse(
                    Methods.name(method) + ": " + e.getMessage(),
                    "Or choose another store with semel.store; the log of the start says which one is used now.",
                    e);
        }
    }

    private @Nullable Reconciling reconciling(
            Method method, Class<?> type, Idempotent mark, @Nullable Level level, Returned returned) {
        Reconciling reconciling = Reconciling.of(method, type, mark, returned.answer());
        if (reconciling != null && engines.joins(level)) {
            throw new Misuse(
                    Methods.name(method)
                            + " is JOINED, which leaves no call abandoned, so there is nothing to reconcile.",
                    "Take reconcile away, or demand level = LEASED.");
        }
        return reconciling;
    }

    private Plan.Printing printing(Method method, Idempotent mark) {
        if (mark.fingerprint().isEmpty()) {
            return arguments -> prints.of(method, arguments);
        }
        Expressions.Over compared = expressions.read(method, "fingerprint", mark.fingerprint());
        return arguments -> prints.of(method, compared.value(arguments));
    }

    private Way way(
            Method method, Class<?> type, @Nullable Level level, RecordedExceptions recorded, Returned returned) {
        boolean joins = engines.joins(level);
        if (joins && returned.isLater()) {
            throw new Misuse(
                    Methods.name(method) + " returns " + returned + ", which ends after the transaction of its record.",
                    "Demand level = LEASED, or return the value itself.");
        }
        if (returned.isLater()) {
            return returned.later(threads, engines.database(), transactions.begins(method, type));
        }
        if (joins) {
            return new Blocking(transactions.joining(method, type, engines.looksFirst()));
        }
        transactions.checkApart(method, type, recorded);
        return new Blocking(new Untransacted(
                engines.database(), transactions.isApart(method, type), transactions.begins(method, type)));
    }
}
