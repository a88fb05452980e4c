// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition of a server; long, because a loaded machine starts one slowly. */
final class Await {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long STEP_NANOS = 5_000_000;

    /** A server that cannot be asked does not meet it yet. */
    static void that(String event, BooleanSupplier condition) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!isMet(condition)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Not within " + LONGEST + ": " + event);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    private static boolean isMet(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    private Await() {}
}
