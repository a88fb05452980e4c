// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import org.jspecify.annotations.Nullable;

/** Thrown at start-up for what cannot be kept, or was surely not meant; what to do about it stands beside. */
final class Misuse extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    Misuse(String what, String action) {
        this(what, action, null);
    }

    Misuse(String what, String action, @Nullable Throwable cause) {
        super(what + " " + action, cause);
        this.action = action;
    }

    String what() {
        String message = String.valueOf(getMessage());
        return message.substring(0, message.length() - action.length()).strip();
    }

    String action() {
        return action;
    }
}
