// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What {@link Engine#begin} gives: an attempt to run and end, or an answer without one. */
public sealed interface Begun<T extends @Nullable Object> {

    /** Nothing is to be run; this is the outcome. */
    record Answered<T extends @Nullable Object>(Outcome<T> outcome) implements Begun<T> {}

    /** The slot is held and its lease is renewed until exactly one of the endings is called, from any thread. */
    final class Started<T extends @Nullable Object> implements Begun<T> {

        private final Running running;
        private final Codec<T> codec;

        Started(Running running, Codec<T> codec) {
            this.running = running;
            this.codec = codec;
        }

        public Attempt attempt() {
            return running;
        }

        boolean isUndone() {
            return running.isUndone();
        }

        /** It happened: records the answer, and only then returns it. */
        public Outcome.Done<T> complete(T value) {
            running.completion(value, codec).finish();
            return new Outcome.Done<>(value, false);
        }

        /**
         * Many {@link #complete}s with one statement to their store. What each would have given or thrown is in its place; most
         * are there already, and what takes more than that one statement is done by {@code others}.
         */
        public static <T extends @Nullable Object> List<CompletableFuture<Outcome.Done<T>>> completeAll(
                List<Completing<T>> completings, Executor others) {
            return Together.complete(completings, others);
        }

        Running.Completion completion(T value) {
            return running.completion(value, codec);
        }

        /** It was refused for good: records the rejection, so that every retry gets it. */
        public void reject(Rejection rejection) {
            running.reject(rejection);
        }

        /** Nobody knows whether it happened: refuses every retry as UNKNOWN until somebody resolves it. */
        public void hold(String why) {
            running.hold(why, true);
        }

        /** It did not happen: frees the key, so that a retry runs. */
        public void release() {
            running.release(null);
        }

        /** {@link #release()}, telling the listener why. */
        public void release(Throwable cause) {
            running.release(cause);
        }

        /** Nobody knows whether it happened: leaves the key as a crash would, so that the next call meets the operation's policy. */
        public void abandon() {
            abandon("it did not answer");
        }

        /** {@link #abandon()}, telling the listener why. */
        public void abandon(String why) {
            running.giveUp(why);
        }
    }

    /** The arguments of one {@link Started#complete}. */
    record Completing<T extends @Nullable Object>(Started<T> started, T value) {}
}
