// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.Work;
import io.semel.internal.Suppressed;
import org.jspecify.annotations.Nullable;

/** Begins a call, runs its work and ends the attempt by what the work returned or threw. */
public final class WorkRun {

    private static final int MOST_TRIES = 3;

    public static <T extends @Nullable Object, E extends Exception> Outcome<T> run(
            EngineContext engine, Call call, Codec<T> codec, Work<T, E> work) throws E {
        for (int tries = 1; ; tries++) {
            Begun<T> begun = new ClaimLoop<>(engine, call, codec).begin();
            if (begun instanceof Begun.Answered<T> answered) {
                return answered.outcome();
            }
            StartedCall<T> started = (StartedCall<T>) begun;
            try {
                return started.complete(runReleasing(started, work));
            } catch (StoreException e) {
                if (tries == MOST_TRIES || !started.isUndone()) {
                    throw e;
                }
            }
        }
    }

    private static <T extends @Nullable Object, E extends Exception> T runReleasing(
            StartedCall<T> started, Work<T, E> work) throws E {
        try {
            return work.run(started.attempt());
        } catch (Rejection rejection) {
            reject(started, rejection);
            throw rejection;
        } catch (Throwable thrown) {
            release(started, thrown);
            throw thrown;
        }
    }

    /** A rejection is an answer: like any other it reaches its caller only if it is the one that stands. */
    private static void reject(Begun.Started<?> started, Rejection rejection) {
        try {
            started.reject(rejection);
        } catch (RuntimeException | Error failure) {
            Suppressed.into(failure, rejection);
            throw failure;
        }
    }

    /** The user's exception always wins. */
    private static void release(Begun.Started<?> started, Throwable thrown) {
        try {
            started.release(thrown);
        } catch (RuntimeException | Error failure) {
            Suppressed.into(thrown, failure);
        }
    }

    private WorkRun() {}
}
