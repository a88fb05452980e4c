// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Attempt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Attempt} of the {@link Idempotent} method, or of the HTTP request with a key, that this thread is in: its fence and its derived keys, to pass on. A method
 * that goes on in other threads asks for it before it hands over.
 */
public final class CurrentAttempt {

    private static final ThreadLocal<@Nullable Attempt> CURRENT = new ThreadLocal<>();

    /** Throws {@link IllegalStateException} outside of such a method. */
    public static Attempt attempt() {
        Attempt attempt = CURRENT.get();
        if (attempt == null) {
            throw new IllegalStateException(
                    "No @Idempotent method and no request with a key is running in this thread. Ask for the attempt in the method"
                            + " itself, before it hands over to another thread, and call the method through its bean.");
        }
        return attempt;
    }

    static boolean isPresent() {
        return CURRENT.get() != null;
    }

    static <T> T during(Attempt attempt, Callable<T> work) throws Exception {
        Attempt outer = enter(attempt);
        try {
            return work.call();
        } finally {
            leave(outer);
        }
    }

    /** Gives the attempt around this one, for {@link #leave}. */
    static @Nullable Attempt enter(Attempt attempt) {
        Attempt outer = CURRENT.get();
        CURRENT.set(attempt);
        return outer;
    }

    static void leave(@Nullable Attempt outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    private CurrentAttempt() {}
}
