// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition of a server; long, because a loaded machine starts one slowly. */
final class Await {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long STEP_NANOS = 5_000_000;

    static void that(String event, BooleanSupplier condition) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Not within " + LONGEST + ": " + event);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    private Await() {}
}
