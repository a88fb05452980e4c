// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** Thrown when a settle comes too late: the work ran, but the slot belongs to another attempt, whose answer stands. */
public final class LeaseLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** For the engine. */
    public LeaseLost(Key key, long fence) {
        super("The lease of " + key + " (fence " + fence
                + ") ran out and another attempt took over or somebody resolved it;"
                + " this attempt's answer was not recorded. Call again to get the answer that stands.");
    }
}
