// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One life of a key: see {@link Invariant}. */
final class Life {

    final Plan plan;
    final int number;
    final Fingerprint fingerprint;
    final long beganAt;
    /** When it began, in the store's time. */
    final long beganInStore;

    final List<Grant> grants = new ArrayList<>();
    final List<Answer> answers = new ArrayList<>();
    final List<Execution> effects = new ArrayList<>();
    long endedAt = Long.MAX_VALUE;

    /** The first answer that a client was given. */
    @Nullable
    Stored given;

    int fresh;
    /** It ended by a Release: somebody said that it did not happen. */
    boolean released;
    /**
     * An operator decided while an attempt was alive, or an old request arrived so late that its holder got the key again:
     * nothing can be said about the number of effects.
     */
    boolean rash;

    Life(Plan plan, int number, Fingerprint fingerprint, long beganAt, long beganInStore) {
        this.plan = plan;
        this.number = number;
        this.fingerprint = fingerprint;
        this.beganAt = beganAt;
        this.beganInStore = beganInStore;
    }

    Grant last() {
        return grants.get(grants.size() - 1);
    }

    @Nullable
    Answer answer() {
        return answers.isEmpty() ? null : answers.get(answers.size() - 1);
    }

    boolean isSettled() {
        return !answers.isEmpty();
    }

    boolean has(Stored stored) {
        return answers.stream().anyMatch(answer -> answer.stored().equals(stored));
    }

    boolean has(Stored.Kind kind) {
        return answers.stream().anyMatch(answer -> answer.stored().kind() == kind);
    }

    boolean overlaps(long from, long to) {
        return beganAt <= to && endedAt >= from;
    }

    @Override
    public String toString() {
        return "life " + number + " of " + plan.key().id();
    }
}
