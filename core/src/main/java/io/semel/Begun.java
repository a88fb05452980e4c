// SPDX-License-Identifier: Apache-2.0
package io.semel;

import io.semel.internal.engine.Batches;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What {@link Engine#begin} gives: an attempt to run and end, or an answer without one. */
public sealed interface Begun<T extends @Nullable Object> {

    /** Nothing is to be run; this is the outcome. */
    record Answered<T extends @Nullable Object>(Outcome<T> outcome) implements Begun<T> {}

    /** The slot is held and its lease is renewed until exactly one of the endings is called, from any thread. */
    non-sealed interface Started<T extends @Nullable Object> extends Begun<T> {

        Attempt attempt();

        /** It happened: records the answer, and only then returns it. */
        Outcome.Done<T> complete(T value);

        /**
         * Many {@link #complete}s with one statement to their store. What each would have given or thrown is in its place; most
         * are there already, and what takes more than that one statement is done by {@code others}.
         */
        static <T extends @Nullable Object> List<CompletableFuture<Outcome.Done<T>>> completeAll(
                List<Completing<T>> completings, Executor others) {
            return Batches.complete(completings, others);
        }

        /** It was refused for good: records the rejection, so that every retry gets it. */
        void reject(Rejection rejection);

        /** Nobody knows whether it happened: refuses every retry as UNKNOWN until somebody resolves it. */
        void hold(String why);

        /** It did not happen: frees the key, so that a retry runs. */
        void release();

        /** {@link #release()}, telling the listener why. */
        void release(Throwable cause);

        /** Nobody knows whether it happened: leaves the key as a crash would, so that the next call meets the operation's policy. */
        default void abandon() {
            abandon("it did not answer");
        }

        /** {@link #abandon()}, telling the listener why. */
        void abandon(String why);
    }

    /** The arguments of one {@link Started#complete}. */
    record Completing<T extends @Nullable Object>(Started<T> started, T value) {}
}
