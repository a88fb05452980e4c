// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Attempt;
import io.semel.Codec;
import io.semel.WhenAbandoned;
import io.semel.WhenAbandoned.Verdict;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * The method of a bean that finds out whether an abandoned call of another of its methods happened.
 *
 * @param method has that one's parameters, and gives its answer, if there is one; for a method without an answer, whether
 */
record Reconciling(Method method) {

    /** Null where the mark names none. */
    static @Nullable Reconciling of(Method marked, Class<?> type, Idempotent mark, ResolvableType answer) {
        if (mark.reconcile().isEmpty()) {
            return null;
        }
        if (mark.whenAbandoned().length > 0) {
            throw new Misuse(
                    Methods.name(marked) + " says both whenAbandoned and reconcile.", "Take one of them away.");
        }
        Method found = ReflectionUtils.findMethod(type, mark.reconcile(), marked.getParameterTypes());
        if (found == null || !gives(found, type, answer)) {
            throw new Misuse(
                    Methods.name(marked) + " names '" + mark.reconcile() + "' to reconcile its abandoned calls, but the"
                            + " bean has no such method with the same parameters that gives "
                            + (isNothing(answer) ? "boolean" : "Optional<" + answer + ">") + ".",
                    "Write it: what it gives is the answer of a call that happened, nothing for one that did not; it throws"
                            + " while nobody knows.");
        }
        ReflectionUtils.makeAccessible(found);
        return new Reconciling(found);
    }

    private static boolean gives(Method found, Class<?> type, ResolvableType answer) {
        ResolvableType given = ResolvableType.forMethodReturnType(found, type);
        return isNothing(answer)
                ? given.toClass() == boolean.class
                : given.toClass() == Optional.class && answer.isAssignableFrom(given.getGeneric());
    }

    private static boolean isNothing(ResolvableType answer) {
        return answer.toClass() == void.class || answer.toClass() == Void.class;
    }

    /** For one call, with its arguments. */
    WhenAbandoned policy(Codec<Optional<Object>> codec, @Nullable Object target, @Nullable Object[] arguments) {
        return WhenAbandoned.reconcile((call, attempt) -> ask(codec, target, arguments, attempt));
    }

    private Verdict ask(
            Codec<Optional<Object>> codec, @Nullable Object target, @Nullable Object[] arguments, Attempt attempt) {
        Attempt outer = CurrentAttempt.enter(attempt);
        try {
            Object found = ReflectionUtils.invokeMethod(method, target, arguments);
            return Boolean.TRUE.equals(found) || (found instanceof Optional<?> answer && answer.isPresent())
                    ? Verdict.happened(
                            codec, found instanceof Optional<?> answer ? answer.map(it -> it) : Optional.empty())
                    : Verdict.didNotHappen();
        } finally {
            CurrentAttempt.leave(outer);
        }
    }
}
