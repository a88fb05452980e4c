// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Finds the methods that are marked. */
final class Methods {

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

    static boolean isMarked(Method method, Class<?> type) {
        return mark(ClassUtils.getMostSpecificMethod(method, type)) != null || mark(method) != null;
    }

    static Set<Method> marked(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (Method method) -> mark(method) != null);
    }

    static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "()";
    }

    private Methods() {}
}
