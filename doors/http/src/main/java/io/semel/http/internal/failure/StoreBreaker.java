// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.failure;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Spares requests the wait for a store that cannot be reached: after some failures in a row only one request in a pause asks it, until
 * it answers. Failures of a store that is there do not count, since they cost no time-out for connecting.
 */
public final class StoreBreaker {

    public static final int FAILURES = 5;
    public static final Duration PAUSE = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private volatile int failures;
    private long nextTry;

    public StoreBreaker(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Whether the store may be asked now; whoever is told so while it cannot be reached tries for all. */
    public boolean mayAsk() {
        if (failures < FAILURES) {
            return true;
        }
        synchronized (this) {
            if (nanos.getAsLong() - nextTry < 0) {
                return failures < FAILURES;
            }
            nextTry = nanos.getAsLong() + PAUSE.toNanos();
            return true;
        }
    }

    public void reached() {
        if (failures > 0) {
            synchronized (this) {
                failures = 0;
            }
        }
    }

    public synchronized void unreachable() {
        failures = Math.min(FAILURES, failures + 1);
        nextTry = nanos.getAsLong() + PAUSE.toNanos();
    }
}
