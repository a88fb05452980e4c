// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Call;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** How a call of a method is run once: at once, in a transaction, or when its future or publisher ends. */
interface Way {

    @Nullable
    Object answer(Plan plan, Call call, MethodInvocation invocation) throws Exception;
}
