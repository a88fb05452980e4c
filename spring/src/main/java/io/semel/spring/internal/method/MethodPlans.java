// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.spring.Abandoned;
import io.semel.spring.Idempotent;
import io.semel.spring.SemelProperties;
import io.semel.spring.internal.json.Json;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.spring.internal.store.Engines;
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

/** The plans of all marked methods, each made once; it refuses those whose guarantees could not be kept. */
public final class MethodPlans {

    private final Engines engines;
    private final OperationSettings settings;
    private final ArgumentExpressions expressions;
    private final ArgumentFingerprints fingerprints;
    private final AnswerCodecs codecsByType;
    private final TransactionRules transactions;
    private final Executor threads = new SimpleAsyncTaskExecutor("semel-settle-");
    private final ConcurrentMap<MethodClassKey, MethodPlan> plans = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, MethodClassKey> operations = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, String> policies = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Codec<Optional<Object>>> codecs = new ConcurrentHashMap<>();

    public MethodPlans(Engines engines, SemelProperties settings, Json json, ConfigurableListableBeanFactory beans) {
        this.engines = engines;
        this.settings = OperationSettings.of(settings, beans);
        this.expressions = new ArgumentExpressions(beans);
        this.fingerprints = new ArgumentFingerprints(json);
        this.codecsByType = new AnswerCodecs(json);
        this.transactions = new TransactionRules(beans);
    }

    public MethodPlan of(Method method, Class<?> type) {
        MethodPlan known = plans.get(new MethodClassKey(method, type));
        return known != null ? known : ofSpecific(method, type);
    }

    /** A call may name an interface's method or a bridge method; all of them share one plan. */
    private MethodPlan ofSpecific(Method method, Class<?> type) {
        Method specific = BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(method, type));
        MethodPlan plan = plans.get(new MethodClassKey(specific, type));
        if (plan == null) {
            plan = make(specific, type);
            MethodPlan other = plans.putIfAbsent(new MethodClassKey(specific, type), plan);
            plan = other == null ? plan : other;
        }
        plans.putIfAbsent(new MethodClassKey(method, type), plan);
        return plan;
    }

    private MethodPlan make(Method method, Class<?> type) {
        Idempotent mark = IdempotentMethods.markOf(method);
        String name = name(method, type, mark);
        Level level = level(method, mark);
        ReturnType returned = new ReturnType(method, type);
        RecordedExceptions recorded = RecordedExceptions.of(method, mark);
        Operation operation = settings.operation(method, mark, name);
        Codec<Optional<Object>> codec = returned.codec(codecsByType);
        policies.put(name, policy(mark, level));
        codecs.put(name, codec);
        return new MethodPlan(
                engine(method, operation, level),
                codec,
                KeyResolver.of(method, mark, name, expressions),
                printing(method, mark),
                recorded,
                style(method, type, level, recorded, returned),
                reconciling(method, type, mark, level, returned));
    }

    private String policy(Idempotent mark, @Nullable Level level) {
        if (engines.joins(level)) {
            return "never abandoned (JOINED)";
        }
        if (!mark.reconcile().isEmpty()) {
            return "reconciled";
        }
        return settings.abandoned(mark) == Abandoned.RERUN ? "executed again" : "refused as UNKNOWN until resolved";
    }

    /** The codec of the marked method whose keys have this scope; empty where there is none. */
    public Optional<Codec<Optional<Object>>> codec(String scope) {
        Codec<Optional<Object>> exact = codecs.get(scope);
        return exact != null
                ? Optional.of(exact)
                : codecs.entrySet().stream()
                        .filter(each -> scope.startsWith(Key.scope(each.getKey()) + "/"))
                        .map(Map.Entry::getValue)
                        .findFirst();
    }

    /** The policies for abandoned calls, for the log; empty where no method is marked. */
    public Optional<String> describe() {
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
                : settings.placeholders().apply(mark.operation());
        MethodClassKey self = new MethodClassKey(method, type);
        MethodClassKey other = operations.putIfAbsent(name, self);
        if (other != null && !other.equals(self)) {
            throw new InvalidSetup(
                    "Two methods have the operation name '" + name + "', so they would share keys: " + other + " and "
                            + self + ".",
                    "Give each @Idempotent its own operation = \"…\".");
        }
        return name;
    }

    private static @Nullable Level level(Method method, Idempotent mark) {
        if (mark.level().length > 1) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " demands several levels.", "Demand only the highest.");
        }
        return mark.level().length == 0 ? null : mark.level()[0];
    }

    private Engine engine(Method method, Operation operation, @Nullable Level level) {
        try {
            return engines.engine(operation, level);
        } catch (IllegalArgumentException e) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + ": " + e.getMessage(),
                    "Or choose another store with semel.store; the start-up log names the current one.",
                    e);
        }
    }

    private @Nullable ReconcileMethod reconciling(
            Method method, Class<?> type, Idempotent mark, @Nullable Level level, ReturnType returned) {
        ReconcileMethod reconciling = ReconcileMethod.of(method, type, mark, returned.answer());
        if (reconciling != null && engines.joins(level)) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method)
                            + " is JOINED, which never abandons a call, so there is nothing to reconcile.",
                    "Remove reconcile, or demand level = LEASED.");
        }
        return reconciling;
    }

    private MethodPlan.Fingerprinting printing(Method method, Idempotent mark) {
        if (mark.fingerprint().isEmpty()) {
            return arguments -> fingerprints.of(method, arguments);
        }
        ArgumentExpressions.Compiled compared = expressions.read(method, "fingerprint", mark.fingerprint());
        return arguments -> fingerprints.of(method, compared.value(arguments));
    }

    private InvocationStyle style(
            Method method, Class<?> type, @Nullable Level level, RecordedExceptions recorded, ReturnType returned) {
        boolean joins = engines.joins(level);
        if (joins && returned.isLater()) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " returns " + returned
                            + ", which completes after the transaction of its record.",
                    "Demand level = LEASED, or return the value itself.");
        }
        if (returned.isLater()) {
            return returned.later(threads, engines.database(), transactions.begins(method, type));
        }
        if (joins) {
            return new JoinedInvocation(transactions.joining(method, type), engines.looksFirst());
        }
        transactions.checkApart(method, type, recorded);
        return new LeasedInvocation(
                engines.database(), transactions.isApart(method, type), transactions.begins(method, type));
    }
}
