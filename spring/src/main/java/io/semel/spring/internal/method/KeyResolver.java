// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Key;
import io.semel.spring.IdempotencyKey;
import io.semel.spring.Idempotent;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** The resolver of the keys of one method. */
final class KeyResolver {

    private final Method method;
    private final String operation;
    private final ArgumentExpressions.Compiled id;
    private final ArgumentExpressions.@Nullable Compiled scope;

    private KeyResolver(
            Method method,
            String operation,
            ArgumentExpressions.Compiled id,
            ArgumentExpressions.@Nullable Compiled scope) {
        this.method = method;
        this.operation = operation;
        this.id = id;
        this.scope = scope;
    }

    static KeyResolver of(Method method, Idempotent mark, String operation, ArgumentExpressions expressions) {
        ArgumentExpressions.Compiled scope =
                mark.scope().isEmpty() ? null : expressions.read(method, "scope", mark.scope());
        return new KeyResolver(method, operation, id(method, mark, expressions), scope);
    }

    private static ArgumentExpressions.Compiled id(Method method, Idempotent mark, ArgumentExpressions expressions) {
        List<Integer> marked = new ArrayList<>();
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].isAnnotationPresent(IdempotencyKey.class)) {
                marked.add(i);
            }
        }
        boolean both = !mark.key().isEmpty() && !marked.isEmpty();
        if (both || marked.size() > 1) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " has more than one key.",
                    "Keep either key = \"…\" or one @IdempotencyKey. A key of two parts is written key = \"{#a,"
                            + " #b}\".");
        }
        if (!mark.key().isEmpty()) {
            return expressions.read(method, "key", mark.key());
        }
        if (!marked.isEmpty()) {
            int index = marked.get(0);
            return arguments -> arguments[index];
        }
        if (parameters.length == 1 && isPlain(parameters[0].getType())) {
            return arguments -> arguments[0];
        }
        throw new InvalidSetup(
                IdempotentMethods.name(method) + " is @Idempotent, but has no key.",
                "Mark a parameter with @IdempotencyKey, or write key = \"#order.id\".");
    }

    /** Parts are escaped, so that text with a slash in it is never taken for two parts. */
    Key key(@Nullable Object[] arguments) {
        String[] ids = parts("key", id.value(arguments));
        // An empty key stays empty, and is refused as such.
        return Key.of(scope(arguments), ids.length == 1 && ids[0].isEmpty() ? "" : Key.scope(ids));
    }

    private String scope(@Nullable Object[] arguments) {
        if (scope == null) {
            return operation;
        }
        List<String> all = new ArrayList<>(List.of(operation));
        all.addAll(List.of(parts("scope", scope.value(arguments))));
        return Key.scope(all.toArray(String[]::new));
    }

    private String[] parts(String what, @Nullable Object value) {
        Object[] parts = value instanceof Collection<?> many
                ? many.toArray()
                : value != null && value.getClass().isArray() ? ObjectUtils.toObjectArray(value) : new Object[] {value};
        if (parts.length == 0) {
            throw new IllegalArgumentException("The " + what + " of " + IdempotentMethods.name(method)
                    + " is an empty list, which would be the same for every caller. The method was not executed.");
        }
        return Arrays.stream(parts).map(part -> plain(what, part)).toArray(String[]::new);
    }

    /** Null would be one key for all calls without one, and other objects have a different text in every process. */
    private String plain(String what, @Nullable Object part) {
        if (part == null || !isPlain(part.getClass())) {
            throw new IllegalArgumentException("The " + what + " of " + IdempotentMethods.name(method) + " is "
                    + (part == null ? "null" : "a " + part.getClass().getName())
                    + "; it must be text, a number, a UUID or an enum, or a list of those. The method was not"
                    + " executed.");
        }
        return part instanceof Enum<?> constant ? constant.name() : part.toString();
    }

    private static boolean isPlain(Class<?> type) {
        return CharSequence.class.isAssignableFrom(type)
                || Number.class.isAssignableFrom(type)
                || Enum.class.isAssignableFrom(type)
                || type == UUID.class
                || type == int.class
                || type == long.class;
    }
}
