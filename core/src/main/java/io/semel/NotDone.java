// SPDX-License-Identifier: Apache-2.0
package io.semel;

import org.jspecify.annotations.Nullable;

/** Thrown by {@link Outcome#orThrow} in place of a value that does not exist. */
public final class NotDone extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Outcome<?> outcome;
    private final transient Outcome.Subject subject;

    NotDone(Outcome<?> outcome, Outcome.Subject subject) {
        super(
                subject.key() == null
                        ? "The call was not done: " + outcome
                        : "The call " + subject.key() + " of operation '" + subject.operation() + "' was not done: "
                                + outcome);
        this.outcome = outcome;
        this.subject = subject;
    }

    public Outcome<?> outcome() {
        return outcome;
    }

    /** The name of the operation; null where the outcome was not made by an engine. */
    public @Nullable String operation() {
        return subject.operation();
    }

    /** The key that was called; null where the outcome was not made by an engine. */
    public @Nullable Key key() {
        return subject.key();
    }
}
