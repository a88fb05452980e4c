// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Attempt;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The thread-local holder of the attempt that {@link io.semel.spring.CurrentAttempt} shows. */
public final class AttemptHolder {

    private static final ThreadLocal<@Nullable Attempt> CURRENT = new ThreadLocal<>();

    public static Optional<Attempt> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    static <T> T during(Attempt attempt, Callable<T> work) throws Exception {
        Attempt outer = enter(attempt);
        try {
            return work.call();
        } finally {
            leave(outer);
        }
    }

    /** Returns the attempt around this one, for {@link #leave}. */
    public static @Nullable Attempt enter(Attempt attempt) {
        Attempt outer = CURRENT.get();
        CURRENT.set(attempt);
        return outer;
    }

    public static void leave(@Nullable Attempt outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    private AttemptHolder() {}
}
