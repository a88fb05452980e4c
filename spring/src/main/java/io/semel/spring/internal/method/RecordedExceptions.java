// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Rejection;
import io.semel.spring.Idempotent;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;

/** The exceptions of one method that are answers, by the names under which they are stored. */
final class RecordedExceptions {

    private static final String PREFIX = "exception/";

    private final Map<String, Constructor<? extends Exception>> byName = new HashMap<>();
    private final Map<Class<?>, String> names = new HashMap<>();

    static RecordedExceptions of(Method method, Idempotent mark) {
        RecordedExceptions all = new RecordedExceptions();
        for (Class<? extends Exception> type : mark.recordExceptions()) {
            all.add(method, type);
        }
        return all;
    }

    private void add(Method method, Class<? extends Exception> type) {
        String name = PREFIX + ClassUtils.getShortName(type);
        Constructor<? extends Exception> other = byName.put(name, constructor(method, type));
        names.put(type, name);
        if (other != null && other.getDeclaringClass() != type) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " records two exceptions named " + ClassUtils.getShortName(type)
                            + ".",
                    "Rename one of them, or record a common superclass.");
        }
    }

    private static Constructor<? extends Exception> constructor(Method method, Class<? extends Exception> type) {
        Constructor<? extends Exception> withMessage = ClassUtils.getConstructorIfAvailable(type, String.class);
        Constructor<? extends Exception> found =
                withMessage != null ? withMessage : ClassUtils.getConstructorIfAvailable(type);
        if (found == null || java.lang.reflect.Modifier.isAbstract(type.getModifiers())) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " records " + type.getName()
                            + ", which cannot be created again for a retry.",
                    "Give it a public constructor that takes only the message, or no arguments; or throw a Rejection.");
        }
        return found;
    }

    boolean covers(String exceptionName) {
        return names.keySet().stream().anyMatch(type -> type.getName().endsWith(exceptionName));
    }

    boolean covers(Class<?> type) {
        return nearest(type) != null;
    }

    /** The rejection to record, if this exception is an answer. */
    Optional<Rejection> rejection(Throwable thrown) {
        if (thrown instanceof Rejection rejection) {
            return Optional.of(rejection);
        }
        String name = nearest(thrown.getClass());
        if (name == null) {
            return Optional.empty();
        }
        Rejection rejection = new Rejection(name, String.valueOf(thrown.getMessage()));
        rejection.initCause(thrown);
        return Optional.of(rejection);
    }

    private @Nullable String nearest(@Nullable Class<?> type) {
        if (type == null) {
            return null;
        }
        String name = names.get(type);
        return name != null ? name : nearest(type.getSuperclass());
    }

    /** Returns the exception for the caller: the one just thrown, or a copy of the one thrown first. */
    Exception answer(Rejection rejection) {
        if (rejection.getCause() instanceof Exception thrown) {
            return thrown;
        }
        Constructor<? extends Exception> constructor = byName.get(rejection.code());
        if (constructor == null) {
            return rejection;
        }
        return constructor.getParameterCount() == 0
                ? BeanUtils.instantiateClass(constructor)
                : BeanUtils.instantiateClass(constructor, rejection.detail());
    }
}
