// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Attempt;
import io.semel.spring.internal.method.AttemptHolder;

/**
 * The {@link Attempt} that runs in this thread, of an {@link Idempotent} method or of an HTTP request with a key: its fence and its
 * derived keys, to pass on. A method that continues in other threads asks for it before it hands over.
 */
public final class CurrentAttempt {

    /** Throws {@link IllegalStateException} outside of such a method or request. */
    public static Attempt attempt() {
        return AttemptHolder.current()
                .orElseThrow(() -> new IllegalStateException(
                        "No @Idempotent method and no request with a key is running in this thread. Ask for the"
                                + " attempt in the method itself, before it hands over to another thread, and call the"
                                + " method through its bean."));
    }

    private CurrentAttempt() {}
}
