// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.Rejection;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The way of methods that have done it when they return. */
record Blocking(Runner runner) implements Way {

    @Override
    public @Nullable Object answer(Plan plan, Call call, MethodInvocation invocation) throws Exception {
        try {
            return runner.run(plan, call, attempt -> work(plan, invocation, attempt))
                    .orThrow()
                    .orElse(null);
        } catch (Rejection rejection) {
            throw plan.recorded().answer(rejection);
        }
    }

    private static Optional<Object> work(Plan plan, MethodInvocation invocation, Attempt attempt) throws Exception {
        try {
            return CurrentAttempt.during(attempt, () -> Optional.ofNullable(proceed(invocation)));
        } catch (Exception thrown) {
            Optional<Rejection> answer = plan.recorded().rejection(thrown);
            if (answer.isPresent()) {
                throw answer.get();
            }
            throw thrown;
        }
    }

    static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error thrown) {
            throw thrown;
        } catch (Throwable neither) {
            throw new UndeclaredThrowableException(neither);
        }
    }
}
