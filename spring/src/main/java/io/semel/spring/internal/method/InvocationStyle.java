// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Call;
import java.lang.reflect.UndeclaredThrowableException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The way in which a method is invoked once: blocking, or until its future or publisher completes. */
public interface InvocationStyle {

    @Nullable
    Object invoke(MethodPlan plan, Call call, MethodInvocation invocation) throws Exception;

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
