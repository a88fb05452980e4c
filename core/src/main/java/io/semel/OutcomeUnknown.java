// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** Thrown when work may have run but the store could not be asked whether its answer is recorded. */
public final class OutcomeUnknown extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** For the engine, and for stores that commit the effect themselves. */
    public OutcomeUnknown(Key key, long fence, Throwable cause) {
        super(
                "The store did not confirm what was to be recorded of " + key + " (fence " + fence
                        + "), and its work may have"
                        + " run. A retry gets the recorded answer or, if there is none, meets the operation's policy for"
                        + " abandoned calls.",
                cause);
    }
}
