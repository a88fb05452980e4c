// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.Attempt;
import io.semel.Begun;
import io.semel.Codec;
import io.semel.Outcome;
import io.semel.Rejection;
import org.jspecify.annotations.Nullable;

/** An attempt together with the codec of its answer. */
final class StartedCall<T extends @Nullable Object> implements Begun.Started<T> {

    private final ActiveAttempt attempt;
    private final Codec<T> codec;

    StartedCall(ActiveAttempt attempt, Codec<T> codec) {
        this.attempt = attempt;
        this.codec = codec;
    }

    @Override
    public Attempt attempt() {
        return attempt;
    }

    boolean isUndone() {
        return attempt.isUndone();
    }

    @Override
    public Outcome.Done<T> complete(T value) {
        completion(value).finish();
        return new Outcome.Done<>(value, false);
    }

    ActiveAttempt.Completion completion(T value) {
        return attempt.completion(value, codec);
    }

    @Override
    public void reject(Rejection rejection) {
        attempt.reject(rejection);
    }

    @Override
    public void hold(String why) {
        attempt.hold(why, true);
    }

    @Override
    public void release() {
        attempt.release(null);
    }

    @Override
    public void release(Throwable cause) {
        attempt.release(cause);
    }

    @Override
    public void abandon(String why) {
        attempt.giveUp(why);
    }
}
