// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/** Finds the methods that are marked. */
final class Methods {

    private static final String MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

    static @Nullable Idempotent mark(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
    }

    static Idempotent markOf(Method method) {
        Idempotent mark = mark(method);
        if (mark == null) {
            throw new IllegalStateException(name(method) + " is not marked with @Idempotent.");
        }
        return mark;
    }

    /** Whether a proxy is to stand in front of it. */
    static boolean isMarked(Method method, Class<?> type) {
        Method specific = ClassUtils.getMostSpecificMethod(method, type);
        return (mark(specific) != null || mark(method) != null) && !isRoute(specific, type);
    }

    /**
     * Whether it is a marked handler of HTTP requests that leaves the key to them; one that says what its key is, is a method like
     * any other.
     */
    static boolean isRoute(Method method, Class<?> type) {
        Idempotent mark = mark(method);
        return mark != null
                && mark.key().isEmpty()
                && AnnotatedElementUtils.hasAnnotation(type, Controller.class)
                && MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(MAPPING)
                && Arrays.stream(method.getParameters()).noneMatch(it -> it.isAnnotationPresent(IdempotencyKey.class));
    }

    static Set<Method> marked(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (Method method) -> mark(method) != null);
    }

    static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "()";
    }

    private Methods() {}
}
