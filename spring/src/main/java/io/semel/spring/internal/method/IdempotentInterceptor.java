// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** The interceptor of marked methods. */
public final class IdempotentInterceptor implements MethodInterceptor {

    private final ObjectProvider<MethodPlans> plans;

    public IdempotentInterceptor(ObjectProvider<MethodPlans> plans) {
        this.plans = plans;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null
                ? invocation.getMethod().getDeclaringClass()
                : ClassUtils.getUserClass(AopUtils.getTargetClass(target));
        MethodPlan plan = plans.getObject().of(invocation.getMethod(), type).of(target, invocation.getArguments());
        return plan.style().invoke(plan, plan.call(invocation.getArguments()), invocation);
    }
}
