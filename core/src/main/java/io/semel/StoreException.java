// SPDX-License-Identifier: Apache-2.0
package io.semel;

import org.jspecify.annotations.Nullable;

/** Thrown by a store that does not know (S9): it could not be asked, or cannot tell whether it obeyed. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean changedNothing;

    public StoreException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private StoreException(String message, @Nullable Throwable cause, boolean changedNothing) {
        super(message, cause);
        this.changedNothing = changedNothing;
    }

    /** For a store that is certain that it did nothing: it is full, or nothing could be sent to it. */
    public static StoreException changedNothing(String message, @Nullable Throwable cause) {
        return new StoreException(message, cause, true);
    }

    /** Whether the store is certain that it did nothing; then asking again at once is of no use. */
    public boolean changedNothing() {
        return changedNothing;
    }
}
