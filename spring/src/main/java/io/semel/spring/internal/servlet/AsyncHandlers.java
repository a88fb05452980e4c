// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import io.semel.spring.internal.http.IdempotentRoute;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** The handlers that answer later, in another thread, outside of the request's transaction. */
final class AsyncHandlers {

    private static final List<Class<?>> LATER = List.of(
            Callable.class,
            CompletionStage.class,
            DeferredResult.class,
            WebAsyncTask.class,
            ResponseBodyEmitter.class,
            StreamingResponseBody.class);

    static boolean isLater(Method method) {
        Class<?> type = answer(method);
        return KotlinDetector.isSuspendingFunction(method)
                || LATER.stream().anyMatch(later -> later.isAssignableFrom(type))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    /** Streams of events have no end at which they could be recorded. */
    static boolean isEvents(Method method) {
        return SseEmitter.class.isAssignableFrom(answer(method)) || IdempotentRoute.producesEvents(method);
    }

    private static Class<?> answer(Method method) {
        ResolvableType returned = ResolvableType.forMethodReturnType(method);
        return HttpEntity.class.isAssignableFrom(returned.toClass())
                ? returned.as(HttpEntity.class).getGeneric().toClass()
                : returned.toClass();
    }

    private AsyncHandlers() {}
}
