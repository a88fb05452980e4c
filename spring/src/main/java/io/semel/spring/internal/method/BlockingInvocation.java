// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.Rejection;
import io.semel.spring.internal.transaction.CallRunner;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The invocation of methods whose work has ended when they return. */
record BlockingInvocation(CallRunner runner) implements InvocationStyle {

    @Override
    public @Nullable Object invoke(MethodPlan plan, Call call, MethodInvocation invocation) throws Exception {
        try {
            return runner.run(plan.engine(), plan.codec(), call, attempt -> work(plan, invocation, attempt))
                    .orThrow()
                    .orElse(null);
        } catch (Rejection rejection) {
            throw plan.recorded().answer(rejection);
        }
    }

    private static Optional<Object> work(MethodPlan plan, MethodInvocation invocation, Attempt attempt)
            throws Exception {
        try {
            return AttemptHolder.during(attempt, () -> Optional.ofNullable(proceed(invocation)));
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
