// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

/** A rule that a run broke. */
public final class Violation extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final Enum<?> rule;

    Violation(Enum<?> rule, String story) {
        super(rule + ": " + story);
        this.rule = rule;
    }

    public Enum<?> rule() {
        return rule;
    }
}
