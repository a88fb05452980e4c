// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.Begun;
import io.semel.Rejection;
import io.semel.internal.Suppressed;
import java.util.Optional;

/** The endings of attempts whose work has thrown, as the engine does it: the user's exception always wins. */
public final class AttemptEndings {

    /**
     * Frees the key, or leaves it as a crash would.
     *
     * @param inDoubt whether a commit of the work may have been done although it failed
     */
    public static void forget(Begun.Started<Optional<Object>> started, Throwable thrown, boolean inDoubt) {
        try {
            if (inDoubt) {
                started.abandon();
            } else {
                started.release(thrown);
            }
        } catch (RuntimeException | Error failure) {
            Suppressed.into(thrown, failure);
        }
    }

    /** A rejection is an answer: it reaches its caller only if it is the one that stands. */
    public static void reject(Begun.Started<Optional<Object>> started, Rejection rejection) {
        try {
            started.reject(rejection);
        } catch (RuntimeException | Error failure) {
            Suppressed.into(failure, rejection);
            throw failure;
        }
    }

    private AttemptEndings() {}
}
