// SPDX-License-Identifier: Apache-2.0
package io.semel;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a stored answer cannot be read for a reason that an operator can mend: the key of a seal is missing or wrong,
 * or a newer version of Semel wrote it. What nobody can mend is refused as NOT_RETAINED instead, and told to the listener.
 */
public final class UnreadableAnswer extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean damaged;

    public UnreadableAnswer(String message) {
        this(message, null);
    }

    public UnreadableAnswer(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private UnreadableAnswer(String message, @Nullable Throwable cause, boolean damaged) {
        super(message, cause);
        this.damaged = damaged;
    }

    /** An answer that nobody will ever read, whatever keys and versions are given to the engine. */
    public static UnreadableAnswer damaged(String message, @Nullable Throwable cause) {
        return new UnreadableAnswer(message, cause, true);
    }

    /** Whether nobody will ever read it, whatever keys and versions are given to the engine. */
    public boolean isDamaged() {
        return damaged;
    }
}
