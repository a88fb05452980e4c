// SPDX-License-Identifier: Apache-2.0
package io.semel.internal;

/** Adds a later failure to the one that wins. */
public final class Suppressed {

    public static void into(Throwable winner, Throwable later) {
        // A store may throw one and the same object twice, and Throwable refuses to suppress itself.
        if (winner != later) {
            winner.addSuppressed(later);
        }
    }

    private Suppressed() {}
}
