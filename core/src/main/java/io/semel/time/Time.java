// SPDX-License-Identifier: Apache-2.0
package io.semel.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/** Monotonic time and waiting, as the engine and the memory store use them; only tests bring their own. */
public interface Time {

    /** Nanoseconds since some fixed moment; never goes backwards. */
    long nanos();

    void sleep(Duration duration) throws InterruptedException;

    /** Waits for the future, at most this long; true if it is complete. */
    boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException;

    /** Runs the task once, after the delay, on a thread that no work of a caller can occupy. */
    void schedule(Duration delay, Runnable task);

    /**
     * Runs the task soon, on a thread that it may hold for long: nothing that is scheduled waits for it.
     *
     * @return interrupts the task while it runs, and keeps it from running before; does nothing afterwards
     */
    default Runnable execute(Runnable task) {
        schedule(Duration.ZERO, task);
        return () -> {};
    }

    /** A number from 0 to 1 that spreads the retries of many waiters. */
    default double jitter() {
        return ThreadLocalRandom.current().nextDouble();
    }

    /** The machine's monotonic clock, with daemon threads of its own that exist only while something is scheduled or executed. */
    static Time system() {
        return new SystemTime();
    }
}
