// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Attempt;
import io.semel.Codec;
import io.semel.WhenAbandoned;
import io.semel.WhenAbandoned.Verdict;
import io.semel.spring.Idempotent;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * The method of a bean that determines whether an abandoned call of another method of it happened.
 *
 * @param method has the parameters of the other method, and returns its answer if the call happened; for a method without an
 *     answer, whether it did
 */
record ReconcileMethod(Method method) {

    /** Null where the annotation names none. */
    static @Nullable ReconcileMethod of(Method marked, Class<?> type, Idempotent mark, ResolvableType answer) {
        if (mark.reconcile().isEmpty()) {
            return null;
        }
        if (mark.whenAbandoned().length > 0) {
            throw new InvalidSetup(
                    IdempotentMethods.name(marked) + " sets both whenAbandoned and reconcile.", "Remove one of them.");
        }
        Method found = ReflectionUtils.findMethod(type, mark.reconcile(), marked.getParameterTypes());
        if (found == null || !gives(found, type, answer)) {
            throw new InvalidSetup(
                    IdempotentMethods.name(marked) + " names '" + mark.reconcile()
                            + "' to reconcile its abandoned calls, but the"
                            + " bean has no such method with the same parameters that returns "
                            + (isNothing(answer) ? "boolean" : "Optional<" + answer + ">") + ".",
                    "Add it. It returns the answer of a call that happened, an empty result for a call that did not,"
                            + " and throws while the outcome is unknown.");
        }
        ReflectionUtils.makeAccessible(found);
        return new ReconcileMethod(found);
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
        Attempt outer = AttemptHolder.enter(attempt);
        try {
            Object found = ReflectionUtils.invokeMethod(method, target, arguments);
            return Boolean.TRUE.equals(found) || (found instanceof Optional<?> answer && answer.isPresent())
                    ? Verdict.happened(
                            codec, found instanceof Optional<?> answer ? answer.map(it -> it) : Optional.empty())
                    : Verdict.didNotHappen();
        } finally {
            AttemptHolder.leave(outer);
        }
    }
}
