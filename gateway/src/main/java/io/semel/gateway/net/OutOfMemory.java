// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

import org.jspecify.annotations.Nullable;

/** What becomes of a process that has no memory left. The flags of the JVM do not see what Java code says itself, as for direct memory. */
public final class OutOfMemory {

    /** As with {@code -XX:+ExitOnOutOfMemoryError}. */
    private static final int STATUS = 3;

    private static final int DEEPEST_CAUSE = 10;
    private static volatile boolean ending;

    /** From now on it ends, rather than go on with half of its threads. */
    public static void endsTheProcess() {
        ending = true;
        Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> {
            check(cause);
            System.err.println("Thread " + thread.getName() + " ended: " + cause);
        });
    }

    public static void check(Throwable thrown) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; ending && cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof OutOfMemoryError) {
                System.err.println("Terminating due to " + cause);
                Runtime.getRuntime().halt(STATUS);
            }
            cause = cause.getCause();
        }
    }

    private OutOfMemory() {}
}
