// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.Work;
import io.semel.spring.internal.transaction.AttemptEndings;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one method: everything about it that is known before a call.
 *
 * @param fingerprint computes the fingerprint of the arguments
 */
public record MethodPlan(
        Engine engine,
        Codec<Optional<Object>> codec,
        KeyResolver keys,
        Fingerprinting fingerprint,
        RecordedExceptions recorded,
        InvocationStyle style,
        @Nullable ReconcileMethod reconciling) {

    /** The plan for one call. */
    public MethodPlan of(@Nullable Object target, @Nullable Object[] arguments) {
        if (reconciling == null) {
            return this;
        }
        Engine asking = engine.with(engine.operation().whenAbandoned(reconciling.policy(codec, target, arguments)));
        return new MethodPlan(asking, codec, keys, fingerprint, recorded, style, reconciling);
    }

    public Call call(@Nullable Object[] arguments) {
        return Call.of(keys.key(arguments), fingerprint.of(arguments));
    }

    /** The work of an invocation, which throws recorded exceptions as rejections. */
    Work<Optional<Object>, Exception> work(MethodInvocation invocation) {
        return attempt -> {
            try {
                return AttemptHolder.during(attempt, () -> Optional.ofNullable(InvocationStyle.proceed(invocation)));
            } catch (Exception thrown) {
                Optional<Rejection> answer = recorded.rejection(thrown);
                if (answer.isPresent()) {
                    throw answer.get();
                }
                throw thrown;
            }
        };
    }

    /** The answer of a run to its caller, who gets recorded exceptions as they were thrown. */
    @Nullable
    Object answer(Callable<Outcome<Optional<Object>>> run) throws Exception {
        try {
            return run.call().orThrow().orElse(null);
        } catch (Rejection rejection) {
            throw recorded.answer(rejection);
        }
    }

    /** Ends an attempt whose work has thrown, and returns what its caller gets. */
    public Throwable fail(Begun.Started<Optional<Object>> started, Throwable thrown, boolean inDoubt) {
        Rejection rejection = recorded.rejection(thrown).orElse(null);
        if (rejection == null || inDoubt) {
            AttemptEndings.forget(started, thrown, inDoubt);
            return thrown;
        }
        AttemptEndings.reject(started, rejection);
        return recorded.answer(rejection);
    }

    /** A function from arguments to their fingerprint. */
    interface Fingerprinting {

        Fingerprint of(@Nullable Object[] arguments);
    }
}
