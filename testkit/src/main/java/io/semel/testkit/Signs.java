// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How a client tells what an answer means, where it is not the engine's own word. */
final class Signs {

    private final List<Predicate<Object>> busy = new ArrayList<>();
    private final List<Predicate<Object>> unknown = new ArrayList<>();

    <A> void busyWhen(Class<A> type, Predicate<? super A> sign) {
        busy.add(answer -> type.isInstance(answer) && sign.test(type.cast(answer)));
    }

    <A> void unknownWhen(Class<A> type, Predicate<? super A> sign) {
        unknown.add(answer -> type.isInstance(answer) && sign.test(type.cast(answer)));
    }

    boolean isBusy(Answer<?> answer) {
        return answer.outcome() instanceof Outcome.Busy<?> || shows(busy, answer);
    }

    boolean isUnknown(Answer<?> answer) {
        boolean refused =
                answer.outcome() instanceof Outcome.Refused<?> said && said.reason() == Outcome.Reason.UNKNOWN;
        return refused || shows(unknown, answer);
    }

    private static boolean shows(List<Predicate<Object>> signs, Answer<?> answer) {
        Throwable thrown = answer.thrown();
        @Nullable Object seen = thrown == null ? answer.value() : thrown;
        return seen != null && signs.stream().anyMatch(sign -> sign.test(seen));
    }
}
