// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something to become true. */
final class Await {

    private static final Duration LONGEST = Duration.ofSeconds(90);

    static void that(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Not within " + LONGEST + ": " + what);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private Await() {}
}
