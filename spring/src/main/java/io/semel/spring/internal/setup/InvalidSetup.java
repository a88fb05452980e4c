// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.setup;

import org.jspecify.annotations.Nullable;

/** The failure of a start-up whose setup cannot keep its guarantees, or is surely a mistake; it carries the remedy. */
public final class InvalidSetup extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    public InvalidSetup(String problem, String action) {
        this(problem, action, null);
    }

    public InvalidSetup(String problem, String action, @Nullable Throwable cause) {
        super(problem + " " + action, cause);
        this.action = action;
    }

    String problem() {
        String message = String.valueOf(getMessage());
        return message.substring(0, message.length() - action.length()).strip();
    }

    String action() {
        return action;
    }
}
