// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Begun;
import io.semel.LeaseLost;
import io.semel.http.internal.answer.AnswerCodec;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Ends a run as the rules say, and turns what can go wrong then into a problem. */
final class RunCompletion {

    private final Begun.Started<Answer> started;
    private final HttpRules rules;
    private final Problems problems;
    private final boolean joined;
    private final AtomicBoolean ended = new AtomicBoolean();

    RunCompletion(Begun.Started<Answer> started, HttpRules rules, boolean joined) {
        this.started = started;
        this.rules = rules;
        this.problems = new Problems(rules);
        this.joined = joined;
    }

    StatusPolicy.Keep keep(Answer answer) {
        return rules.statuses.of(answer, joined);
    }

    Optional<Problem> complete(Answer answer) {
        return complete(answer, rules.replayedHeaders.stored(answer));
    }

    /** The half of {@link #complete} before the store is told of an answer that is recorded; null if it is not. */
    Begun.@Nullable Completing<Answer> recording(Answer answer) {
        if (keep(answer) != StatusPolicy.Keep.RECORD) {
            return null;
        }
        once();
        return new Begun.Completing<>(started, rules.replayedHeaders.stored(answer));
    }

    /** And the half after it. */
    Optional<Problem> recorded(@Nullable Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        // The engine's listener has been told; whatever it was, the answer is not known to be recorded.
        return failure == null
                ? Optional.empty()
                : Optional.of(failure instanceof LeaseLost ? problems.takenOver() : problems.unconfirmed());
    }

    Optional<Problem> completeUnkept(Answer head) {
        return complete(head, AnswerCodec.UNKEPT);
    }

    void fail(Throwable thrown) {
        once();
        try {
            started.release(thrown);
        } catch (RuntimeException | Error failure) {
            if (failure != thrown) {
                thrown.addSuppressed(failure);
            }
        }
    }

    void release() {
        once();
        started.release();
    }

    Problem silent(String why) {
        once();
        started.abandon(why);
        return problems.unconfirmed();
    }

    Problem unconfirmed() {
        return problems.unconfirmed();
    }

    private Optional<Problem> complete(Answer answer, Answer stored) {
        once();
        return switch (keep(answer)) {
            case RECORD -> settled(() -> started.complete(stored));
            case HOLD -> settled(() -> started.hold("the handler answered " + answer.status()));
            case FORGET -> forget();
        };
    }

    private Optional<Problem> settled(Runnable settle) {
        try {
            settle.run();
            return recorded(null);
        } catch (RuntimeException e) {
            return recorded(e);
        }
    }

    private Optional<Problem> forget() {
        try {
            started.release();
            return Optional.empty();
        } catch (LeaseLost e) {
            return Optional.of(problems.takenOver());
        } catch (RuntimeException e) {
            // The engine's listener has been told; the answer is true all the same, and the lease runs out by itself.
            return Optional.empty();
        }
    }

    private void once() {
        if (!ended.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "The run of " + started.attempt().key() + " was ended before; an ending is called once.");
        }
    }
}
