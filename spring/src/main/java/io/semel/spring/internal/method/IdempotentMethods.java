// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.spring.IdempotencyKey;
import io.semel.spring.Idempotent;
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

/** The methods that are marked with {@link Idempotent}. */
public final class IdempotentMethods {

    private static final String MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

    public static @Nullable Idempotent mark(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
    }

    public static Idempotent markOf(Method method) {
        Idempotent mark = mark(method);
        if (mark == null) {
            throw new IllegalStateException(name(method) + " is not marked with @Idempotent.");
        }
        return mark;
    }

    /** Whether a proxy intercepts the method. */
    public static boolean isMarked(Method method, Class<?> type) {
        Method specific = ClassUtils.getMostSpecificMethod(method, type);
        return (mark(specific) != null || mark(method) != null) && !isRoute(specific, type);
    }

    /**
     * Whether it is a marked handler whose key comes with the HTTP request; one that says what its key is, is a method like
     * any other.
     */
    public static boolean isRoute(Method method, Class<?> type) {
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

    public static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "()";
    }

    private IdempotentMethods() {}
}
