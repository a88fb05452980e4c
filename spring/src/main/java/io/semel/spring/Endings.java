// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Begun;
import io.semel.Rejection;
import java.util.Optional;

/** Ends attempts whose work has thrown, as the engine does: the user's exception always wins. */
final class Endings {

    static void release(Begun.Started<Optional<Object>> started, Throwable thrown) {
        try {
            started.release(thrown);
        } catch (RuntimeException | Error failure) {
            if (failure != thrown) {
                thrown.addSuppressed(failure);
            }
        }
    }

    /** Ends it by what was thrown, and gives what the caller is to be told. */
    static Throwable fail(Plan plan, Begun.Started<Optional<Object>> started, Throwable thrown) {
        Rejection rejection = plan.recorded().rejection(thrown).orElse(null);
        if (rejection == null) {
            release(started, thrown);
            return thrown;
        }
        started.reject(rejection);
        return plan.recorded().answer(rejection);
    }

    private Endings() {}
}
