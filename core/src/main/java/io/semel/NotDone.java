// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** Thrown by {@link Outcome#orThrow} in place of a value that does not exist. */
public final class NotDone extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Outcome<?> outcome;

    NotDone(Outcome<?> outcome) {
        super("The call was not done: " + outcome);
        this.outcome = outcome;
    }

    public Outcome<?> outcome() {
        return outcome;
    }
}
