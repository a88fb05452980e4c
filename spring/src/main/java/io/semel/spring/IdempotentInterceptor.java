// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** Stands in front of marked methods. */
final class IdempotentInterceptor implements MethodInterceptor {

    private final ObjectProvider<Plans> plans;

    IdempotentInterceptor(ObjectProvider<Plans> plans) {
        this.plans = plans;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null
                ? invocation.getMethod().getDeclaringClass()
                : ClassUtils.getUserClass(AopUtils.getTargetClass(target));
        Plan plan = plans.getObject().of(invocation.getMethod(), type).of(target, invocation.getArguments());
        return plan.way().answer(plan, plan.call(invocation.getArguments()), invocation);
    }
}
