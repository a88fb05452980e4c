// SPDX-License-Identifier: Apache-2.0
package io.semel;

import org.jspecify.annotations.Nullable;

/** Thrown by a store that does not know (S9): it could not be asked, or cannot tell whether it obeyed. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean changedNothing;
    private final boolean undone;
    private final boolean unreachable;

    public StoreException(String message, @Nullable Throwable cause) {
        this(message, cause, false, false, false);
    }

    private StoreException(
            String message, @Nullable Throwable cause, boolean changedNothing, boolean undone, boolean unreachable) {
        super(message, cause);
        this.changedNothing = changedNothing;
        this.undone = undone;
        this.unreachable = unreachable;
    }

    /** For a store that is certain that it did nothing: it is full, or nothing could be sent to it. */
    public static StoreException changedNothing(String message, @Nullable Throwable cause) {
        return new StoreException(message, cause, true, false, false);
    }

    /** For a store that commits effect and record together, and took both back because of somebody else: call again. */
    public static StoreException undone(String message, @Nullable Throwable cause) {
        return new StoreException(message, cause, true, true, false);
    }

    /**
     * For a store that could not be reached at all: no connection could be opened, so nothing was asked. Not for a lock time-out, a
     * deadlock, an exhausted pool or a full store: those say that the store is there, and that somebody else may hold the key.
     */
    public static StoreException unreachable(String message, @Nullable Throwable cause) {
        return new StoreException(message, cause, true, false, true);
    }

    /** Whether the store is certain that it did nothing; then asking again at once is of no use. */
    public boolean changedNothing() {
        return changedNothing;
    }

    /** Whether the effect was taken back as well, so that the call may be made again at once. */
    public boolean undone() {
        return undone;
    }

    /** Whether the store could not be reached; the only failure for which a door that fails open lets a request pass. */
    public boolean isUnreachable() {
        return unreachable;
    }
}
