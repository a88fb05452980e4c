// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Begun;
import io.semel.Rejection;
import java.util.Optional;

/** Ends attempts whose work has thrown, as the engine does: the user's exception always wins. */
final class Endings {

    /**
     * Frees the key, or leaves it as a crash would.
     *
     * @param inDoubt whether a commit of the work may have been done although it failed
     */
    static void forget(Begun.Started<Optional<Object>> started, Throwable thrown, boolean inDoubt) {
        try {
            if (inDoubt) {
                started.abandon();
            } else {
                started.release(thrown);
            }
        } catch (RuntimeException | Error failure) {
            if (failure != thrown) {
                thrown.addSuppressed(failure);
            }
        }
    }

    /** A rejection is an answer: it reaches its caller only if it is the one that stands. */
    static void reject(Begun.Started<Optional<Object>> started, Rejection rejection) {
        try {
            started.reject(rejection);
        } catch (RuntimeException | Error failure) {
            if (failure != rejection) {
                failure.addSuppressed(rejection);
            }
            throw failure;
        }
    }

    /** Ends it by what was thrown, and gives what the caller is to be told. */
    static Throwable fail(Plan plan, Begun.Started<Optional<Object>> started, Throwable thrown, boolean inDoubt) {
        Rejection rejection = plan.recorded().rejection(thrown).orElse(null);
        if (rejection == null || inDoubt) {
            forget(started, thrown, inDoubt);
            return thrown;
        }
        reject(started, rejection);
        return plan.recorded().answer(rejection);
    }

    private Endings() {}
}
